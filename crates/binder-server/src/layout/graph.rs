//! Draws a concept, everything above it and its children.
//!
//! The hypernyms are in layers, each below all of its own hypernyms; chains are folded if wished
//! (`fold.rs`). The children are in columns below (`children.rs`).

use binder::Id;
use binder::query::{Index, Neighbourhood, QueryError};
use binder_answers::{called, names_of};
use serde::Serialize;
use utoipa::ToSchema;

use super::children::{self, matching};
use super::fold::Boxes;
use super::layers::Layers;

/// What is to be drawn around a concept.
#[derive(Debug)]
pub(crate) struct Wish {
    /// The width in pixels that should be enough.
    pub(crate) width: f64,
    /// Whether chains of single parents are folded.
    pub(crate) fold: bool,
    /// Which children to show: those that contain this text, so many after so many.
    pub(crate) filter: String,
    pub(crate) offset: usize,
    pub(crate) children: usize,
}

/// A drawing: boxes and lines, in pixels.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Drawing {
    /// The width.
    width: f64,
    /// The height.
    height: f64,
    /// The boxes.
    nodes: Vec<Node>,
    /// The lines, from parents down to children.
    edges: Vec<Edge>,
    /// The number of children.
    children: usize,
    /// The number of children that match the filter.
    matching: usize,
    /// The number of children that were left out.
    left_out: usize,
}

/// A concept in its box, or several of a folded chain.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Node {
    /// Its name; of a folded chain, that of the lowest.
    name: String,
    /// The text in the box.
    text: String,
    /// The place: `above`, `centre`, `below` or `fold`.
    role: &'static str,
    /// The middle of the box.
    x: f64,
    /// The middle of the box.
    y: f64,
    /// The width of the box.
    width: f64,
    /// The number of concepts below it.
    hyponyms: u64,
    /// The bits that it has.
    bits: Vec<u16>,
    /// The names in a folded chain, from the top down.
    folded: Vec<String>,
}

/// A line from a parent's box to a child's.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Edge {
    /// The parent.
    from: String,
    /// The child.
    to: String,
    /// The line as an SVG path.
    path: String,
}

/// Sizes in pixels: the height of a box, the distance of layers and of boxes, and the padding of a
/// text.
pub(super) const BOX: f64 = 30.0;
pub(super) const LAYER: f64 = 58.0;
pub(super) const GAP: f64 = 14.0;
const PADDING: f64 = 24.0;
/// The assumed width of a letter, of a wide one such as 犬, and of the longest text.
const LETTER: f64 = 7.6;
const WIDE_LETTER: f64 = 13.5;
const LONGEST: f64 = 200.0;

/// Draws the neighbourhood of a concept.
pub(crate) fn draw(index: &Index, concept: Id, wish: &Wish) -> Result<Drawing, QueryError> {
    let around = index.neighbourhood(concept, 0)?;
    let mut sketch = Sketch { index, around: &around, nodes: Vec::new(), edges: Vec::new() };
    let (width, centre) = sketch.hypernyms(wish);
    let all = index.children(concept)?;
    let total = all.len();
    let matching = matching(index, all, &wish.filter);
    let shown: Vec<Id> = matching.iter().copied().skip(wish.offset).take(wish.children).collect();
    sketch.children(&shown, centre, width);
    let lowest = sketch.nodes.iter().map(|node| node.y).fold(0.0, f64::max);
    Ok(Drawing {
        width,
        height: lowest + BOX / 2.0 + GAP,
        children: total,
        left_out: matching.len() - shown.len(),
        matching: matching.len(),
        nodes: sketch.nodes,
        edges: sketch.edges,
    })
}

struct Sketch<'a> {
    index: &'a Index,
    around: &'a Neighbourhood,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

impl Sketch<'_> {
    /// Draws the concept and everything above it; returns the width and the concept's place.
    fn hypernyms(&mut self, wish: &Wish) -> (f64, (f64, f64)) {
        let boxes = Boxes::new(self.around, wish.fold);
        let id = |local: Id| self.around.ids[local as usize];
        let text = |chain: &[Id]| match chain {
            [one] => shortened(called(self.index, id(*one)), LONGEST),
            chain => format!("⋯ {} steps", chain.len()),
        };
        let texts: Vec<String> = boxes.concepts.iter().map(|chain| text(chain)).collect();
        let mut layers = Layers::new(GAP);
        for (row, text) in boxes.rows.iter().zip(&texts) {
            layers.add(*row, length(text) + PADDING);
        }
        let ways: Vec<(usize, usize, Vec<usize>)> = boxes
            .links
            .iter()
            .map(|&(child, parent)| (child, parent, layers.join(parent, child)))
            .collect();
        let drawn = layers.arrange();
        let width = wish.width.max(drawn);
        let place = |item: usize| {
            let item = &layers.items[item];
            (item.x + (width - drawn) / 2.0, GAP + item.row as f64 * LAYER + BOX / 2.0)
        };
        let lowest = |at: usize| boxes.concepts[at].last().copied().map_or(0, id);
        for (child, parent, way) in ways {
            let path = line(&way.into_iter().map(place).collect::<Vec<_>>());
            self.join(lowest(parent), lowest(child), path);
        }
        let mut centre = (width / 2.0, GAP + BOX / 2.0);
        for (at, (chain, text)) in boxes.concepts.iter().zip(texts).enumerate() {
            let role = match chain[..] {
                [one] if one == self.around.centre => "centre",
                [_] => "above",
                _ => "fold",
            };
            if role == "centre" {
                centre = place(at);
            }
            let folded =
                if role == "fold" { chain.iter().copied().map(id).collect() } else { vec![] };
            let node = self.node(lowest(at), role, text, place(at), layers.items[at].width);
            self.nodes.push(Node { folded: names_of(self.index, folded), ..node });
        }
        (width, centre)
    }

    /// Draws children below the concept.
    fn children(&mut self, shown: &[Id], centre: (f64, f64), width: f64) {
        let (leaves, wide) = children::place(shown.len(), centre, width);
        for (&child, leaf) in shown.iter().zip(leaves) {
            let text = shortened(called(self.index, child), wide - PADDING);
            let node = self.node(child, "below", text, (leaf.x, leaf.y), wide);
            self.nodes.push(node);
            self.join(self.around.ids[self.around.centre as usize], child, leaf.path);
        }
    }

    fn node(&self, id: Id, role: &'static str, text: String, at: (f64, f64), width: f64) -> Node {
        Node {
            name: self.index.name(id).to_owned(),
            text,
            role,
            x: at.0,
            y: at.1,
            width,
            hyponyms: self.index.count_hyponyms(id).unwrap_or_default(),
            bits: self.index.codes().code(id).ones().collect(),
            folded: Vec::new(),
        }
    }

    fn join(&mut self, parent: Id, child: Id, path: String) {
        let name = |id: Id| self.index.name(id).to_owned();
        self.edges.push(Edge { from: name(parent), to: name(child), path });
    }
}

/// The SVG path of a line, from the lower edge of the first box to the upper edge of the last. It
/// is straight beside boxes and curved between rows.
fn line(way: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (at, step) in way.windows(2).enumerate() {
        let ((x1, y1), (x2, y2)) = (step[0], step[1]);
        let (y1, y2) = (y1 + BOX / 2.0, y2 - BOX / 2.0);
        let half = f64::midpoint(y1, y2);
        let lead = if at == 0 { 'M' } else { 'L' };
        path +=
            &format!("{lead}{x1:.1} {y1:.1}C{x1:.1} {half:.1} {x2:.1} {half:.1} {x2:.1} {y2:.1}");
    }
    path
}

/// The assumed width of a text.
fn length(text: &str) -> f64 {
    text.chars().map(|letter| if letter < '\u{1100}' { LETTER } else { WIDE_LETTER }).sum()
}

/// A text that is no wider than this.
fn shortened(text: &str, widest: f64) -> String {
    if length(text) <= widest {
        return text.to_owned();
    }
    let (mut short, mut left) = (String::new(), widest - LETTER);
    for letter in text.chars() {
        left -= length(letter.encode_utf8(&mut [0; 4]));
        if left < 0.0 {
            break;
        }
        short.push(letter);
    }
    short + "…"
}
