//! A hierarchy as tensors: names, pairs, labels and aliases. `docs/model-format.md` describes them.

use super::{ContainerError, Reader, Tensor, missing};
use crate::bits::Id;
use crate::graph::Rows;
use crate::hierarchy::{Aliases, Hierarchy, Names, Texts};

impl Reader<'_> {
    /// The hierarchy of the file.
    ///
    /// # Errors
    ///
    /// When a tensor is missing or damaged, or when the pairs break a law of hierarchies.
    pub fn hierarchy(&self) -> Result<Hierarchy, ContainerError> {
        let names = self.texts("names", "name_offsets")?.ok_or_else(|| missing("names"))?;
        let names = distinct(names, "names")?;
        let n = names.len();
        let pairs = self.pairs("pairs")?.ok_or_else(|| missing("pairs"))?;
        if pairs.iter().any(|&(child, parent)| child.max(parent) as usize >= n) {
            return Err(ContainerError::tensor("pairs", "an id that is out of range"));
        }
        let parents = Rows::from_pairs(n, pairs.iter().copied());
        let labels = self.texts("labels", "label_offsets")?.unwrap_or_default();
        if !labels.is_empty() && labels.len() != n {
            return Err(ContainerError::tensor("label_offsets", "not one label for each concept"));
        }
        let aliases = aliases(self, n)?;
        Hierarchy::from_parts(names, parents, labels, aliases)
            .map_err(|problem| ContainerError::tensor("pairs", problem))
    }
}

fn aliases(reader: &Reader<'_>, concepts: usize) -> Result<Aliases, ContainerError> {
    let Some(texts) = reader.texts("aliases", "alias_offsets")? else {
        return Ok(Aliases::default());
    };
    let of = reader.u32s("alias_concepts")?.ok_or_else(|| missing("alias_concepts"))?;
    if of.len() != texts.len() || of.iter().any(|&id| id as usize >= concepts) {
        return Err(ContainerError::tensor("alias_concepts", "not one concept for each alias"));
    }
    Ok(Aliases::new(distinct(texts, "aliases")?, of))
}

fn distinct(texts: Texts, tensor: &'static str) -> Result<Names, ContainerError> {
    if Id::try_from(texts.len()).is_err() {
        return Err(ContainerError::tensor(tensor, "more names than can be numbered"));
    }
    Names::from_distinct(texts)
        .map_err(|id| ContainerError::tensor(tensor, format!("name {id} is a duplicate")))
}

/// The tensors of a hierarchy.
pub fn hierarchy_tensors(concepts: &Hierarchy) -> Vec<Tensor<'_>> {
    let aliases: Texts = concepts.aliases().iter().map(|(alias, _)| alias).collect();
    let alias_concepts: Vec<u32> = concepts.aliases().iter().map(|(_, concept)| concept).collect();
    let pairs: Vec<u32> = concepts.pairs().flat_map(|(child, parent)| [child, parent]).collect();
    let mut tensors = vec![
        Tensor::text_offsets("name_offsets", concepts.names().texts()),
        Tensor::u32s("pairs", vec![pairs.len() / 2, 2], &pairs),
        Tensor::texts("names", concepts.names().texts()),
    ];
    if !concepts.labels().is_empty() {
        tensors.extend([
            Tensor::text_offsets("label_offsets", concepts.labels()),
            Tensor::texts("labels", concepts.labels()),
        ]);
    }
    if !aliases.is_empty() {
        let concepts = Tensor::u32s("alias_concepts", vec![alias_concepts.len()], &alias_concepts);
        tensors.extend([
            Tensor::text_offsets("alias_offsets", &aliases),
            concepts,
            Tensor::texts("aliases", &aliases),
        ]);
    }
    tensors
}

/// Sorts tensors by the width of their numbers, so that each one is aligned for its type.
pub fn widest_first(tensors: &mut [Tensor<'_>]) {
    tensors.sort_by_key(|tensor| match tensor.dtype {
        "U64" | "F64" => 0,
        "U32" | "F32" => 1,
        _ => 2,
    });
}
