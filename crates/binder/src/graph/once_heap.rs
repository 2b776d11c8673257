use std::collections::BinaryHeap;

/// A heap that gives each of its items once, however often it was put in, the greatest first.
///
/// Parents have smaller ids than their children. So walking up with the greatest id first meets
/// every ancestor once and in order, whatever the number of ways that lead to it.
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

    /// Takes the greatest item out, with all that equal it.
    pub(super) fn pop(&mut self) -> Option<T> {
        let greatest = self.0.pop()?;
        while self.0.peek() == Some(&greatest) {
            self.0.pop();
        }
        Some(greatest)
    }
}
