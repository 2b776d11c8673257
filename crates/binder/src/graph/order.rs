use super::Rows;
use crate::bits::{Id, id};

/// A depth-first topological order of the concepts in `kept`: every parent before its children, and
/// the concepts under one parent close together.
///
/// This is Kahn's algorithm with a stack instead of a queue. A concept is pushed when the last of
/// its parents is numbered. On a tree the result is the preorder. On a graph without cycles it is a
/// preorder of the tree in which each concept hangs under its last-numbered parent. Concepts on or
/// below a cycle are never pushed, so an order shorter than `kept` means a cycle.
///
/// ```text
/// pairs (dog, animal) (pet, animal) (puppy, dog) (puppy, pet)    order animal, dog, pet, puppy
/// ```
pub(crate) fn depth_first(children: &Rows, kept: impl Iterator<Item = Id>) -> Vec<Id> {
    let mut waiting_for = vec![0u32; children.len()];
    for (_, child) in children.pairs() {
        waiting_for[child as usize] += 1;
    }
    let mut stack: Vec<Id> = kept.filter(|&id| waiting_for[id as usize] == 0).collect();
    stack.reverse();
    let mut order = Vec::with_capacity(children.len());
    while let Some(next) = stack.pop() {
        order.push(next);
        for &child in children.row(next).iter().rev() {
            waiting_for[child as usize] -= 1;
            if waiting_for[child as usize] == 0 {
                stack.push(child);
            }
        }
    }
    order
}

/// The position of each concept in `order`; `Id::MAX` for concepts that are not in it.
pub(crate) fn positions(order: &[Id], concepts: usize) -> Vec<Id> {
    let mut position = vec![Id::MAX; concepts];
    for (new, &old) in order.iter().enumerate() {
        position[old as usize] = id(new);
    }
    position
}
