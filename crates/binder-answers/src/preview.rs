use binder::Growth;
use binder::query::{DefineError, Index};
use serde::Serialize;

use crate::name::names_of;

/// What a concept would be that is not in the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Preview {
    /// The name that was given.
    pub name: String,
    /// Its parents.
    pub parents: Vec<String>,
    /// How many concepts would be directly below it.
    pub children_count: usize,
    /// The first of them.
    pub children: Vec<String>,
    /// Its code as ones and zeros, the first bit first, with the appended bits last.
    pub code: String,
    /// The bits that none of its parents has.
    pub own: Vec<u16>,
    /// How many bits would be appended to all codes.
    pub appended_bits: usize,
}

/// How many children are named.
const FIRST: usize = 20;

impl Preview {
    /// What a concept of this name would be under these parents. Nothing is changed.
    ///
    /// # Errors
    ///
    /// When the name exists, a parent does not, or the codes would be too wide.
    pub fn under(index: &Index, name: &str, parents: &[&str]) -> Result<Self, DefineError> {
        let ids = parents.iter().map(|parent| index.find(parent));
        let names = names_of(index, ids.collect::<Result<Vec<_>, _>>()?);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut growth = Growth::new(index.model());
        growth.add(name, &names)?;
        Ok(Self::new(index, name, &growth))
    }

    /// What a concept of this name would be that an expression defines. Nothing is changed.
    ///
    /// # Errors
    ///
    /// When the expression cannot be read, or the name or the code exists.
    pub fn of_expression(index: &Index, name: &str, text: &str) -> Result<Self, DefineError> {
        let mut growth = Growth::new(index.model());
        growth.add_expression(name, text, index)?;
        Ok(Self::new(index, name, &growth))
    }

    fn new(index: &Index, name: &str, growth: &Growth) -> Self {
        let added = growth.added_as(name).expect("it was added under this name");
        let bits = index.codes().bits();
        let inherited = |bit: u16| {
            let bit = usize::from(bit);
            bit < bits && added.parents.iter().any(|&parent| index.codes().get(parent, bit))
        };
        Self {
            name: name.to_owned(),
            own: added.code.ones().filter(|&bit| !inherited(bit)).collect(),
            children_count: added.children.len(),
            children: names_of(index, added.children.into_iter().take(FIRST)),
            parents: names_of(index, added.parents),
            code: added.code.to_string(),
            appended_bits: growth.bits() - bits,
        }
    }
}
