use std::fmt::Write as _;

use binder::Id;
use binder::query::Neighbourhood;

use crate::tree::lines;

/// Sizes in pixels: the height of a row, the indentation of a level, a circle with its gap, the
/// width of a letter, the margin.
const ROW: usize = 24;
const STEP: usize = 18;
const CIRCLE: usize = 12;
const LETTER: usize = 8;
const MARGIN: usize = 16;

/// A concept's neighbourhood as SVG: a tree on the left, the bits as circles on the right. It embeds
/// no font and follows the viewer's light or dark theme.
pub fn svg(around: &Neighbourhood) -> String {
    let rows = lines(&around.hierarchy);
    let depth = |lead: &str| lead.chars().count() / 3;
    let reach = |(lead, id): &(String, Id)| {
        depth(lead) * STEP + around.hierarchy.name(*id).chars().count() * LETTER
    };
    let left = MARGIN + rows.iter().map(reach).max().unwrap_or(0) + 2 * MARGIN;
    let (width, height) =
        (left + around.codes.bits() * CIRCLE + MARGIN, rows.len() * ROW + 2 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"ui-monospace, monospace\" font-size=\"13\">\n<style>\n\
         :root {{ color-scheme: light dark; --ink: light-dark(#222, #ddd); --own: light-dark(#0072b2, #56b4e9) }}\n\
         text {{ fill: var(--ink) }} .own {{ fill: var(--own); font-weight: bold }}\n\
         circle {{ fill: none; stroke: var(--ink); stroke-opacity: .35 }} .on {{ fill: var(--ink) }} .own.on {{ fill: var(--own) }}\n\
         </style>\n"
    );
    for (at, (lead, id)) in rows.iter().enumerate() {
        row(&mut svg, around, *id, MARGIN + depth(lead) * STEP, left, MARGIN + at * ROW + ROW / 2);
    }
    svg + "</svg>\n"
}

fn row(svg: &mut String, around: &Neighbourhood, id: Id, x: usize, left: usize, y: usize) {
    let own = if id == around.centre { "own" } else { "" };
    let name = escaped(around.hierarchy.name(id));
    let _ = writeln!(svg, "<text class=\"{own}\" x=\"{x}\" y=\"{}\">{name}</text>", y + 4);
    for bit in 0..around.codes.bits() {
        let on = if around.codes.get(id, bit) { "on" } else { "" };
        let x = left + bit * CIRCLE;
        let _ = writeln!(
            svg,
            "<circle class=\"{own} {on}\" cx=\"{x}\" cy=\"{y}\" r=\"4\"><title>bit {bit}</title></circle>"
        );
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
