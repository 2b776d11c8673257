use std::fmt;

/// How a source was read: what was taken for child and parent, with one example.
///
/// ```text
/// csv: child = column 1 (id), parent = column 3 (parent_id); 2 (dog) is-a 1 (animal)
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Reading {
    /// The format, by the name that people write.
    pub format: String,
    /// What was taken for the child.
    pub child: String,
    /// What was taken for the parent.
    pub parent: String,
    /// The first (child, parent) that was read, each with its label if it has one.
    pub example: Option<(String, String)>,
    /// What else was decided, or left out.
    pub notes: Vec<String>,
}

impl Reading {
    /// A reading of a format, with what was taken for child and parent.
    pub fn new(
        format: impl fmt::Display,
        child: impl Into<String>,
        parent: impl Into<String>,
    ) -> Self {
        let (child, parent) = (child.into(), parent.into());
        Self { format: format.to_string(), child, parent, ..Self::default() }
    }

    /// Adds a note.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: child = {}, parent = {}", self.format, self.child, self.parent)?;
        if let Some((child, parent)) = &self.example {
            write!(f, "; {child} is-a {parent}")?;
        }
        self.notes.iter().try_for_each(|note| write!(f, "; {note}"))
    }
}
