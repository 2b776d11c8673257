use std::collections::BinaryHeap;

/// A heap without duplicates: each distinct item is returned once, the greatest first.
///
/// Parents have smaller ids than their children. So walking up with the greatest id first visits
/// every ancestor once and in order, however many paths lead to it.
#[derive(Debug)]
pub(super) struct OnceHeap<T>(BinaryHeap<T>);

impl<T: Ord> OnceHeap<T> {
    pub(super) fn new() -> Self {
        Self(BinaryHeap::new())
    }

    pub(super) fn extend(&mut self, items: impl IntoIterator<Item = T>) {
        self.0.extend(items);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Removes the greatest item and all duplicates of it.
    pub(super) fn pop(&mut self) -> Option<T> {
        let greatest = self.0.pop()?;
        while self.0.peek() == Some(&greatest) {
            self.0.pop();
        }
        Some(greatest)
    }
}
