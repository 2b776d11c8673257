//! A hierarchy drawn as a tree, with its codes as circles, as SVG.
//!
//! A concept with several parents stands below the first of them.

use binder::Id;
use binder::{Codes, Hierarchy};
use binder_answers::tree::children;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::Error;
use crate::plots;

/// The most concepts to draw; a larger tree is unreadable.
pub(crate) const MOST_CONCEPTS: usize = 200;

/// Pixels from one circle to the next, from one row to the next, and of both margins together.
const CIRCLE: i32 = 11;
const ROW: i32 = 90;
const MARGIN: i32 = 50;

/// The tree as SVG, from the top down, with the circles of each concept below its name.
pub(crate) fn svg(hierarchy: &Hierarchy, codes: &Codes) -> Result<String, Error> {
    let bits = match u16::try_from(codes.bits()) {
        Ok(bits) if hierarchy.len() <= MOST_CONCEPTS => i32::from(bits),
        _ => {
            let (concepts, bits) = (hierarchy.len(), codes.bits());
            return Err(Error::TooLargeToDraw { concepts, bits });
        }
    };
    let column = bits * CIRCLE + 20;
    let places = places(hierarchy, column);
    let width = places.iter().map(|(x, _)| x + column / 2).max().unwrap_or(0) + MARGIN / 2;
    let height = places.iter().map(|(_, y)| *y).max().unwrap_or(0) + MARGIN;
    let place = |concept: Id| places[concept as usize];
    plots::svg((width.unsigned_abs(), height.unsigned_abs()), |area| {
        for (child, parent) in hierarchy.pairs() {
            let ((x, y), (parent_x, parent_y)) = (place(child), place(parent));
            area.draw(&PathElement::new([(parent_x, parent_y + 24), (x, y - 10)], BLACK.mix(0.4)))?;
        }
        let style =
            ("sans-serif", 13).into_font().color(&BLACK).pos(Pos::new(HPos::Center, VPos::Center));
        for concept in hierarchy.ids() {
            let (x, y) = place(concept);
            area.draw(&Text::new(hierarchy.name(concept).to_owned(), (x, y), style.clone()))?;
            for (bit, at) in (0..codes.bits()).zip(0..) {
                let centre = (x + at * CIRCLE - (bits - 1) * CIRCLE / 2, y + 15);
                let shape =
                    if codes.get(concept, bit) { BLACK.filled() } else { BLACK.stroke_width(1) };
                area.draw(&Circle::new(centre, 4, shape))?;
            }
        }
        Ok(())
    })
}

/// The place of each concept: leaves side by side, every other concept above the middle of its
/// children.
fn places(hierarchy: &Hierarchy, column: i32) -> Vec<(i32, i32)> {
    let mut places = vec![(0, 0); hierarchy.len()];
    let mut leaves = 0;
    let mut open: Vec<(Id, i32, bool)> = hierarchy.roots().map(|root| (root, 0, false)).collect();
    open.reverse();
    while let Some((concept, depth, seen)) = open.pop() {
        let below: Vec<Id> = children(hierarchy, concept).collect();
        match (below.first(), below.last()) {
            (Some(&first), Some(&last)) if seen => {
                places[concept as usize].0 =
                    i32::midpoint(places[first as usize].0, places[last as usize].0);
            }
            (Some(_), Some(_)) => {
                open.push((concept, depth, true));
                open.extend(below.iter().rev().map(|&child| (child, depth + 1, false)));
            }
            _ => {
                places[concept as usize].0 = MARGIN / 2 + column / 2 + leaves * column;
                leaves += 1;
            }
        }
        places[concept as usize].1 = MARGIN / 2 + depth * ROW;
    }
    places
}
