//! A hierarchy as tensors: names, pairs, and texts that describe concepts. `docs/model-format.md`
//! has the bytes.

use super::{ContainerError, Reader, Tensor, missing};
use crate::bits::Id;
use crate::choice::Choice;
use crate::graph::Rows;
use crate::hierarchy::{Aliases, Carried, Definitions, Hierarchy, Names, Scope, Synonyms, Texts};

impl Reader<'_> {
    /// The hierarchy of the file.
    ///
    /// # Errors
    ///
    /// When a tensor is missing or damaged, or when the pairs break a law of hierarchies.
    pub fn hierarchy(&self) -> Result<Hierarchy, ContainerError> {
        hierarchy(self, carried)
    }

    /// The hierarchy of a model file of version 1, whose texts are not compressed.
    pub(crate) fn hierarchy_of_version_1(&self) -> Result<Hierarchy, ContainerError> {
        hierarchy(self, carried_by_version_1)
    }
}

fn hierarchy(
    reader: &Reader<'_>,
    carried: fn(&Reader<'_>, usize) -> Result<Carried, ContainerError>,
) -> Result<Hierarchy, ContainerError> {
    let names = reader.texts("names", "name_offsets")?.ok_or_else(|| missing("names"))?;
    let names = distinct(names, "names")?;
    let n = names.len();
    let pairs = reader.pairs("pairs")?.ok_or_else(|| missing("pairs"))?;
    if pairs.iter().any(|&(child, parent)| child.max(parent) as usize >= n) {
        return Err(ContainerError::tensor("pairs", "an id that is out of range"));
    }
    let parents = Rows::from_pairs(n, pairs.iter().copied());
    Hierarchy::from_parts(names, parents, carried(reader, n)?)
        .map_err(|problem| ContainerError::tensor("pairs", problem))
}

/// In version 1, texts are not compressed: a tensor holds where each begins.
fn carried_by_version_1(reader: &Reader<'_>, concepts: usize) -> Result<Carried, ContainerError> {
    let labels = reader.texts("labels", "label_offsets")?.unwrap_or_default();
    if !labels.is_empty() && labels.len() != concepts {
        return Err(ContainerError::tensor("label_offsets", "not one label for each concept"));
    }
    let aliases = match reader.texts("aliases", "alias_offsets")? {
        Some(texts) => aliases(texts, concepts_of(reader, "alias_concepts", concepts)?)?,
        None => Aliases::default(),
    };
    Ok(Carried { labels, aliases, ..Carried::default() })
}

fn carried(reader: &Reader<'_>, concepts: usize) -> Result<Carried, ContainerError> {
    let definitions = reader.u8s("definitions")?.map(|packed| packed.to_vec().into());
    Ok(Carried {
        labels: reader.packed_texts("labels", concepts)?.unwrap_or_default(),
        aliases: packed_aliases(reader, concepts)?,
        synonyms: synonyms(reader, concepts)?,
        definitions: definitions
            .map(|packed| Definitions::compressed(packed, concepts))
            .unwrap_or_default(),
    })
}

fn packed_aliases(reader: &Reader<'_>, concepts: usize) -> Result<Aliases, ContainerError> {
    if reader.u8s("aliases")?.is_none() {
        return Ok(Aliases::default());
    }
    let of = concepts_of(reader, "alias_concepts", concepts)?;
    aliases(reader.packed_texts("aliases", of.len())?.unwrap_or_default(), of)
}

fn aliases(texts: Texts, concepts: Vec<Id>) -> Result<Aliases, ContainerError> {
    if concepts.len() != texts.len() {
        return Err(ContainerError::tensor("alias_concepts", "not one concept for each alias"));
    }
    Ok(Aliases::new(distinct(texts, "aliases")?, concepts))
}

fn synonyms(reader: &Reader<'_>, concepts: usize) -> Result<Synonyms, ContainerError> {
    if reader.u8s("synonyms")?.is_none() {
        return Ok(Synonyms::default());
    }
    let of = concepts_of(reader, "synonym_concepts", concepts)?;
    let texts = reader.packed_texts("synonyms", of.len())?.unwrap_or_default();
    let scopes = reader.u8s("synonym_scopes")?.ok_or_else(|| missing("synonym_scopes"))?;
    let scope = |number: &u8| Scope::ALL.get(usize::from(*number)).copied();
    let scopes = scopes.iter().map(scope).collect::<Option<Vec<_>>>();
    let scopes =
        scopes.ok_or_else(|| ContainerError::tensor("synonym_scopes", "an unknown scope"))?;
    let ranks = reader.u32s("synonym_ranks")?.unwrap_or_else(|| vec![0; of.len()]);
    let problem = "not one concept, scope and rank for each synonym, in ascending order";
    Synonyms::from_columns(texts, of, scopes, ranks)
        .ok_or_else(|| ContainerError::tensor("synonym_concepts", problem))
}

/// The concepts that texts belong to.
fn concepts_of(
    reader: &Reader<'_>,
    tensor: &'static str,
    concepts: usize,
) -> Result<Vec<Id>, ContainerError> {
    let of = reader.u32s(tensor)?.ok_or_else(|| missing(tensor))?;
    if of.iter().any(|&id| id as usize >= concepts) {
        return Err(ContainerError::tensor(tensor, "an id that is out of range"));
    }
    Ok(of)
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
    let mut tensors = vec![
        Tensor::text_offsets("name_offsets", concepts.names().texts()),
        Tensor::pairs("pairs", concepts.direct(), concepts.pairs()),
        Tensor::texts("names", concepts.names().texts()),
    ];
    if !concepts.labels().is_empty() {
        tensors.push(Tensor::packed_texts("labels", concepts.labels()));
    }
    if !concepts.aliases().is_empty() {
        let (texts, of): (Vec<&str>, Vec<u32>) = concepts.aliases().iter().unzip();
        tensors.push(Tensor::packed_texts("aliases", &texts.into_iter().collect()));
        tensors.push(Tensor::u32s("alias_concepts", vec![of.len()], &of));
    }
    if !concepts.all_synonyms().is_empty() {
        tensors.extend(synonym_tensors(concepts.all_synonyms()));
    }
    if !concepts.definitions().is_empty() {
        tensors.push(Tensor::u8s("definitions", concepts.definitions().packed()));
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

fn synonym_tensors(synonyms: &Synonyms) -> Vec<Tensor<'static>> {
    let of: Vec<u32> = synonyms.iter().map(|(concept, _)| concept).collect();
    let scopes = synonyms.iter().map(|(_, synonym)| synonym.scope as u8);
    let ranks: Vec<u32> = synonyms.iter().map(|(_, synonym)| synonym.rank).collect();
    let mut tensors = vec![
        Tensor::u32s("synonym_concepts", vec![of.len()], &of),
        Tensor::packed_texts("synonyms", synonyms.texts()),
        Tensor::u8s("synonym_scopes", scopes.collect::<Vec<u8>>()),
    ];
    if ranks.iter().any(|&rank| rank > 0) {
        tensors.push(Tensor::u32s("synonym_ranks", vec![ranks.len()], &ranks));
    }
    tensors
}
