use std::fmt::Write;

use binder::Id;
use binder::place::{Answer, Place, Placer};
use serde::Serialize;

use crate::{Style, visible};

/// Where an unseen concept belongs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Placed {
    /// The name that was asked for.
    pub name: String,
    /// Possible parents, the likeliest first.
    pub places: Vec<PlaceOf>,
    /// The parents to put it under: one, or several where the evidence says so.
    pub parents: Vec<String>,
    /// The place with the best expected F1 of is-a pairs; `p` is the chance that the concept is
    /// below it.
    pub safe: Option<PlaceOf>,
    /// A concept that this rather is another name of; `p` is how alike the texts are.
    pub same_as: Option<PlaceOf>,
    /// What spoke for the likeliest place.
    pub why: Reasons,
    /// The code that it would get under `parents`, as ones and zeros, checked against all codes.
    /// Null where a bit would have to be appended to all codes first.
    pub code: Option<String>,
}

/// A place of an unseen concept.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlaceOf {
    /// The concept.
    pub concept: String,
    /// What people call it.
    pub label: Option<String>,
    /// The chance that it is right, from 0 to 1.
    pub p: f64,
}

/// What spoke for a place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Reasons {
    /// What the definition says that it is.
    pub genus: Option<String>,
    /// The known name that the name ends with.
    pub ending: Option<String>,
    /// Concepts in the definition that are the place or below it.
    pub mentioned: Vec<String>,
    /// The nearest concepts below the place.
    pub neighbours: Vec<Neighbour>,
}

/// A concept with a text like that of the unseen one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Neighbour {
    /// The concept.
    pub concept: String,
    /// The words that both texts have.
    pub words: Vec<String>,
}

impl Placed {
    /// Asks a placer, and keeps the first `top` places.
    pub fn new(placer: &Placer, name: &str, definition: &str, top: usize) -> Self {
        Self::from_answer(placer, name, placer.place(name, definition), top)
    }

    /// An answer with names.
    pub fn from_answer(placer: &Placer, name: &str, answer: Answer, top: usize) -> Self {
        let hierarchy = placer.model().hierarchy();
        let called = |concept: Id| hierarchy.name(concept).to_owned();
        let place = |place: Place| PlaceOf {
            concept: called(place.concept),
            label: hierarchy.label(place.concept).map(str::to_owned),
            p: place.p,
        };
        let why = answer.why;
        let neighbours = why.neighbours.into_iter();
        Self {
            name: name.to_owned(),
            places: answer.places.into_iter().take(top).map(place).collect(),
            parents: answer.parents.into_iter().map(called).collect(),
            safe: answer.safe.map(place),
            same_as: answer.same_as.map(place),
            why: Reasons {
                genus: why.genus,
                ending: why.ending,
                mentioned: why.mentioned.into_iter().map(called).collect(),
                neighbours: neighbours
                    .map(|(concept, words)| Neighbour { concept: called(concept), words })
                    .collect(),
            },
            code: answer.code.map(|code| code.to_string()),
        }
    }

    /// The answer for people.
    pub fn text(&self, style: &Style) -> String {
        let mut text = format!("{}\n", (style.bold)(&visible(&self.name)));
        if self.places.is_empty() {
            text.push_str("  nothing is like it; a definition would help\n");
            return text;
        }
        for place in &self.places {
            let _ = writeln!(text, "  {:>5.1} %  {}", 100.0 * place.p, place.shown());
        }
        if let Some(safe) = &self.safe {
            let _ = writeln!(text, "  safe: {}, {:.1} %", safe.shown(), 100.0 * safe.p);
        }
        if self.parents.len() > 1 {
            let _ = writeln!(text, "  several parents: {}", visible(&self.parents.join(", ")));
        }
        if let Some(same) = &self.same_as {
            let _ = writeln!(text, "  rather another name of {}", same.shown());
        }
        text.push_str(&self.why.text());
        match &self.code {
            Some(code) => {
                let _ = writeln!(text, "  code: {code}");
            }
            None => text.push_str("  code: a bit would have to be appended to all codes\n"),
        }
        text
    }
}

impl PlaceOf {
    fn shown(&self) -> String {
        match &self.label {
            Some(label) => visible(&format!("{} ({label})", self.concept)).into_owned(),
            None => visible(&self.concept).into_owned(),
        }
    }
}

impl Reasons {
    fn text(&self) -> String {
        let mut text = String::new();
        if let Some(genus) = &self.genus {
            let _ = writeln!(text, "  why: the definition calls it {genus:?}");
        }
        if let Some(ending) = &self.ending {
            let _ = writeln!(text, "  why: the name ends in {ending:?}");
        }
        if !self.mentioned.is_empty() {
            let _ = writeln!(text, "  why: mentioned: {}", visible(&self.mentioned.join(", ")));
        }
        for neighbour in &self.neighbours {
            let words = neighbour.words.join(", ");
            let line = format!("  why: like {}: {words}", neighbour.concept);
            let _ = writeln!(text, "{}", visible(&line));
        }
        text
    }
}
