//! Draws a concept, everything above it and its children in layers.
//!
//! The hypernyms are in layers: each is below all of its own hypernyms (longest path from a root).
//! The children are in rows below.

use binder::Id;
use binder::query::{Index, Neighbourhood, QueryError};
use serde::Serialize;
use utoipa::ToSchema;

use super::layers::Layers;

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
    /// The number of children that were left out.
    left_out: usize,
}

/// A concept in its box.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Node {
    /// Its name.
    name: String,
    /// The text in the box.
    text: String,
    /// The place: `above`, `centre` or `below`.
    role: &'static str,
    /// The middle of the box.
    x: f64,
    /// The middle of the box.
    y: f64,
    /// The width of the box.
    width: f64,
    /// The number of concepts below it.
    hyponyms: u64,
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

/// Sizes in pixels: the height of a box, the distance of layers, of rows of children and of boxes,
/// and the padding of a text.
const BOX: f64 = 30.0;
const LAYER: f64 = 60.0;
const ROW: f64 = 40.0;
const GAP: f64 = 14.0;
const PADDING: f64 = 22.0;
/// The assumed width of a letter, and the maximum number of letters shown.
const LETTER: f64 = 7.6;
const LONGEST: usize = 30;

/// Draws a concept's neighbourhood, with as many children in a row as the width allows.
pub(crate) fn draw(
    index: &Index,
    concept: Id,
    most_children: usize,
    width: f64,
) -> Result<Drawing, QueryError> {
    let around = index.neighbourhood(concept, most_children)?;
    let mut sketch = Sketch::new(&around, width);
    sketch.place_children(&around);
    let node = |id: Id| Node {
        name: around.hierarchy.name(id).to_owned(),
        text: short(around.hierarchy.name(id)),
        role: role(&around, id),
        x: sketch.places[id as usize].0,
        y: sketch.places[id as usize].1,
        width: sketch.widths[id as usize],
        hyponyms: index.count_hyponyms(around.ids[id as usize]).unwrap_or_default(),
    };
    Ok(Drawing {
        width: sketch.width,
        height: sketch.places.iter().map(|place| place.1).fold(0.0, f64::max) + BOX / 2.0 + GAP,
        nodes: around.hierarchy.ids().map(node).collect(),
        edges: sketch.edges,
        left_out: around.left_out,
    })
}

fn role(around: &Neighbourhood, id: Id) -> &'static str {
    match id {
        _ if id == around.centre => "centre",
        _ if around.hierarchy.parents(id).contains(&around.centre) => "below",
        _ => "above",
    }
}

struct Sketch {
    /// The width of each box.
    widths: Vec<f64>,
    /// The middle of each box.
    places: Vec<(f64, f64)>,
    edges: Vec<Edge>,
    width: f64,
}

impl Sketch {
    /// Places everything except the children.
    fn new(around: &Neighbourhood, width: f64) -> Self {
        let hierarchy = &around.hierarchy;
        let wide = |id: Id| short(hierarchy.name(id)).chars().count() as f64 * LETTER + PADDING;
        let widths: Vec<f64> = hierarchy.ids().map(wide).collect();
        let mut layers = Layers::new(GAP);
        let above: Vec<Id> = hierarchy.ids().filter(|&id| role(around, id) != "below").collect();
        let numbers: Vec<usize> = above
            .iter()
            .map(|&id| layers.add(hierarchy.depth_of(id) as usize, widths[id as usize]))
            .collect();
        let number = |id: Id| above.binary_search(&id).map(|at| numbers[at]);
        let mut ways = Vec::new();
        for (child, parent) in hierarchy.pairs() {
            if let (Ok(lower), Ok(upper)) = (number(child), number(parent)) {
                ways.push((child, parent, layers.join(upper, lower)));
            }
        }
        let drawn = layers.arrange();
        let width = width.max(drawn);
        let place = |item: usize| {
            let item = &layers.items[item];
            (item.x + (width - drawn) / 2.0, GAP + item.row as f64 * LAYER + BOX / 2.0)
        };
        let mut places = vec![(0.0, 0.0); hierarchy.len()];
        above.iter().zip(&numbers).for_each(|(&id, &item)| places[id as usize] = place(item));
        let line = |(child, parent, way): (Id, Id, Vec<usize>)| {
            edge(around, parent, child, &way.into_iter().map(place).collect::<Vec<_>>())
        };
        Self { widths, places, edges: ways.into_iter().map(line).collect(), width }
    }

    /// Places the children in rows that fit the width. Only the first row has lines.
    fn place_children(&mut self, around: &Neighbourhood) {
        let children = around.hierarchy.children(around.centre);
        let centre = self.places[around.centre as usize];
        for (at, row) in (0u32..).zip(wrapped(children, &self.widths, self.width)) {
            let whole: f64 = row.iter().map(|&id| self.widths[id as usize] + GAP).sum();
            let y = centre.1 + LAYER + f64::from(at) * ROW;
            let mut x = (centre.0 - whole / 2.0).min(self.width - whole).max(0.0);
            for id in row {
                let wide = self.widths[id as usize] + GAP;
                self.places[id as usize] = (x + wide / 2.0, y);
                x += wide;
                if at == 0 {
                    self.edges.push(edge(
                        around,
                        around.centre,
                        id,
                        &[centre, self.places[id as usize]],
                    ));
                }
            }
        }
    }
}

/// Splits boxes into rows that fit the width.
fn wrapped(ids: &[Id], widths: &[f64], width: f64) -> Vec<Vec<Id>> {
    let mut rows: Vec<Vec<Id>> = Vec::new();
    let mut left = 0.0;
    for &id in ids {
        let wide = widths[id as usize] + GAP;
        if rows.is_empty() || wide > left {
            rows.push(Vec::new());
            left = width;
        }
        left -= wide;
        rows.last_mut().expect("one was pushed").push(id);
    }
    rows
}

/// The SVG path of a line, from the lower edge of the first box to the upper edge of the last. It
/// is straight beside boxes and curved between rows.
fn edge(around: &Neighbourhood, parent: Id, child: Id, way: &[(f64, f64)]) -> Edge {
    let mut path = String::new();
    for (at, step) in way.windows(2).enumerate() {
        let ((x1, y1), (x2, y2)) = (step[0], step[1]);
        let (y1, y2) = (y1 + BOX / 2.0, y2 - BOX / 2.0);
        let half = f64::midpoint(y1, y2);
        let lead = if at == 0 { 'M' } else { 'L' };
        path +=
            &format!("{lead}{x1:.1} {y1:.1}C{x1:.1} {half:.1} {x2:.1} {half:.1} {x2:.1} {y2:.1}");
    }
    let name = |id: Id| around.hierarchy.name(id).to_owned();
    Edge { from: name(parent), to: name(child), path }
}

fn short(name: &str) -> String {
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    name.chars().take(LONGEST - 1).chain(['…']).collect()
}
