use super::{Problem, ReadError, ReadOptions};
use crate::bits::{Id, id};
use crate::hierarchy::{Hierarchy, HierarchyBuilder, Reading, Scope};

/// What every reader hands its finds to: the builder behind the limits of the options, and the
/// report of what was taken for child and parent.
pub(super) struct Collector<'o> {
    pub(super) options: &'o ReadOptions,
    builder: HierarchyBuilder,
    pub(super) reading: Reading,
    /// The first pair of two different concepts.
    first: Option<(Id, Id)>,
    has_concepts: bool,
}

impl<'o> Collector<'o> {
    pub(super) fn new(options: &'o ReadOptions) -> Self {
        let (builder, reading) = (HierarchyBuilder::default(), Reading::default());
        Self { options, builder, reading, first: None, has_concepts: false }
    }

    /// The concept of that name.
    pub(super) fn concept(&mut self, name: &str) -> Result<Id, Problem> {
        if name.trim_ascii().is_empty() {
            return Err(Problem::EmptyName);
        }
        self.options.check_name(name)?;
        self.builder.check_memory()?;
        self.has_concepts = true;
        Ok(self.builder.concept(name)?)
    }

    /// The concept of that name, if there is one already.
    pub(super) fn find(&self, name: &str) -> Option<Id> {
        self.builder.find(name)
    }

    /// Adds the pair "`child` is-a `parent`".
    pub(super) fn pair(&mut self, child: &str, parent: &str) -> Result<(), Problem> {
        let (child, parent) = (self.concept(child)?, self.concept(parent)?);
        self.link(child, parent);
        Ok(())
    }

    /// Adds the pair "`child` is-a `parent`" by ids.
    pub(super) fn link(&mut self, child: Id, parent: Id) {
        if self.first.is_none() && child != parent {
            self.first = Some((child, parent));
        }
        self.builder.link(child, parent);
    }

    /// Adds the pair of `child` and `parent`, the other way round if the options say so.
    pub(super) fn directed(&mut self, child: &str, parent: &str) -> Result<(), Problem> {
        let (child, parent) = (self.concept(child)?, self.concept(parent)?);
        self.directed_link(child, parent);
        Ok(())
    }

    /// The same by ids.
    pub(super) fn directed_link(&mut self, child: Id, parent: Id) {
        let (child, parent) = if self.options.reversed { (parent, child) } else { (child, parent) };
        self.link(child, parent);
    }

    /// Whether there is any concept.
    #[cfg(feature = "rdf")]
    pub(super) fn has_concepts(&self) -> bool {
        self.has_concepts
    }

    pub(super) fn label(&mut self, concept: Id, label: &str) {
        let label = label.trim();
        if !label.is_empty() {
            self.builder.label(concept, label);
        }
    }

    pub(super) fn alias(&mut self, concept: Id, alias: &str) {
        if !alias.trim_ascii().is_empty() {
            self.builder.alias(concept, alias);
        }
    }

    pub(super) fn synonym(&mut self, concept: Id, text: &str, scope: Scope) {
        let text = text.trim();
        if !text.is_empty() {
            self.builder.synonym(concept, text, scope);
        }
    }

    pub(super) fn definition(&mut self, concept: Id, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            self.builder.definition(concept, text);
        }
    }

    pub(super) fn obsolete(&mut self, concept: Id) {
        self.builder.obsolete(concept);
    }

    /// Counts a pair whose parent has no name.
    pub(super) fn skip_blank(&mut self) {
        self.builder.skip_blank();
    }

    /// The hierarchy, with the report.
    pub(super) fn finish(self, file: &str) -> Result<Hierarchy, ReadError> {
        let Self { options, builder, mut reading, first, .. } = self;
        let built = builder.build_ordered(options.cycles);
        let (hierarchy, order) = built.map_err(|cycle| ReadError::of(file, cycle))?;
        let place = |given: Id| order.iter().position(|&old| old == given).map(id);
        let first = first.and_then(|(child, parent)| Some((place(child)?, place(parent)?)));
        let first = first.or_else(|| hierarchy.pairs().next());
        reading.example =
            first.map(|(child, parent)| (shown(&hierarchy, child), shown(&hierarchy, parent)));
        Ok(hierarchy.with_reading(reading))
    }
}

/// The most characters of a name that an example shows.
const SHOWN: usize = 60;

/// A name, and the label behind it where it has another one.
fn shown(hierarchy: &Hierarchy, concept: Id) -> String {
    let name = hierarchy.name(concept);
    match hierarchy.label(concept).filter(|&label| label != name) {
        Some(label) => format!("{} ({})", cut(name), cut(label)),
        None => cut(name),
    }
}

/// A long text without its middle: the end of an IRI tells more than its beginning.
fn cut(text: &str) -> String {
    let count = text.chars().count();
    if count <= SHOWN {
        return text.to_owned();
    }
    let start: String = text.chars().take(SHOWN / 3).collect();
    let end: String = text.chars().skip(count - 2 * SHOWN / 3).collect();
    format!("{start}…{end}")
}
