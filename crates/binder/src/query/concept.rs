use super::{Index, QueryError};
use crate::bits::{Code, Id};

/// What stands for a concept in a question: its id, or a text that leads to it.
///
/// A text is a name, an alias, a label, or the beginning of one that is the beginning of nothing
/// else.
pub trait Term {
    /// The concept that is meant.
    ///
    /// # Errors
    ///
    /// When there is no such concept, or when several may be meant.
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
    /// Its number.
    pub fn id(&self) -> Id {
        self.id
    }

    /// Its name.
    pub fn name(&self) -> &'a str {
        self.index.name(self.id)
    }

    /// What people call it, where the model knows.
    pub fn label(&self) -> Option<&'a str> {
        self.index.hierarchy().label(self.id)
    }

    /// Its code.
    pub fn code(&self) -> Code {
        self.index.codes().code(self.id)
    }
}
