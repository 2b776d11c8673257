use binder::Id;
use binder::query::Index;

use crate::name::names_of;

/// The part of a long list that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// How many to pass over.
    pub offset: usize,
    /// How many to give at most.
    pub limit: usize,
}

impl Page {
    /// All of it.
    pub const ALL: Self = Self { offset: 0, limit: usize::MAX };

    /// The page that a cursor leads to; none if it is not a cursor.
    pub fn at(cursor: &str, limit: usize) -> Option<Self> {
        let offset = cursor.strip_prefix(CURSOR)?.parse().ok()?;
        Some(Self { offset, limit })
    }

    /// The cursor of the page after this one, if a list of this length goes on there.
    pub(crate) fn next(self, length: usize) -> Option<String> {
        let end = self.offset.checked_add(self.limit)?;
        (self.limit > 0 && end < length).then(|| format!("{CURSOR}{end}"))
    }

    /// The beginning: at most so many.
    pub fn first(limit: usize) -> Self {
        Self { offset: 0, limit }
    }

    /// The names of the concepts on this page.
    pub(crate) fn names(self, index: &Index, concepts: Vec<Id>) -> Vec<String> {
        names_of(index, concepts.into_iter().skip(self.offset).take(self.limit))
    }
}

/// What a cursor begins with. Clients take it as it is.
const CURSOR: &str = "after-";

#[cfg(test)]
mod tests {
    use super::Page;

    #[test]
    fn cursors_lead_from_page_to_page() {
        let first = Page::first(10);
        let second = first.next(25).and_then(|cursor| Page::at(&cursor, 10));
        assert_eq!(second, Some(Page { offset: 10, limit: 10 }));
        let third = Page { offset: 20, limit: 10 };
        assert_eq!((third.next(25), third.next(30), Page::ALL.next(9)), (None, None, None));
        assert_eq!(
            (Page::at("10", 1), Page::at("after-x", 1), Page::first(0).next(3)),
            (None, None, None)
        );
    }
}
