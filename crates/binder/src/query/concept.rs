use super::{Index, QueryError};
use crate::bits::{Code, Id};

/// A reference to a concept in a question: its id, or a text that leads to it.
///
/// A text is a name, an identifier, a label, a synonym, or the unambiguous beginning of one of these
/// ([`Index::read_as`]).
pub trait Term {
    /// The concept that is meant.
    ///
    /// # Errors
    ///
    /// When there is no such concept, or when the text is ambiguous.
    fn resolve(&self, index: &Index) -> Result<Id, QueryError>;
}

impl Term for Id {
    fn resolve(&self, index: &Index) -> Result<Id, QueryError> {
        let concepts = index.codes().len();
        if (*self as usize) < concepts {
            Ok(*self)
        } else {
            Err(QueryError::UnknownId { id: *self, concepts })
        }
    }
}

impl Term for str {
    fn resolve(&self, index: &Index) -> Result<Id, QueryError> {
        index.find(self)
    }
}

impl Term for String {
    fn resolve(&self, index: &Index) -> Result<Id, QueryError> {
        index.find(self)
    }
}

impl Term for Concept<'_> {
    fn resolve(&self, index: &Index) -> Result<Id, QueryError> {
        self.id.resolve(index)
    }
}

impl<T: Term + ?Sized> Term for &T {
    fn resolve(&self, index: &Index) -> Result<Id, QueryError> {
        (**self).resolve(index)
    }
}

/// A concept of a model.
#[derive(Debug, Clone, Copy)]
pub struct Concept<'a> {
    pub(super) index: &'a Index,
    pub(super) id: Id,
}

impl<'a> Concept<'a> {
    /// The id.
    pub fn id(&self) -> Id {
        self.id
    }

    /// The name.
    pub fn name(&self) -> &'a str {
        self.index.name(self.id)
    }

    /// The label, if the model has one.
    pub fn label(&self) -> Option<&'a str> {
        self.index.hierarchy().label(self.id)
    }

    /// The code.
    pub fn code(&self) -> Code {
        self.index.codes().code(self.id)
    }
}
