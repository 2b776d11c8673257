use super::{Expression, Index, QueryError};
use crate::grow::{GrowError, Growth};

/// Why a concept could not be added by an expression.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DefineError {
    /// The expression has no value.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// Its value could not be added.
    #[error(transparent)]
    Grow(#[from] GrowError),
}

impl Growth {
    /// Adds the value that an expression has in `index`, the model as it was. The meet of names is
    /// exact; any other value stands where its code does.
    ///
    /// # Errors
    ///
    /// When the expression cannot be read, or its value cannot be added.
    pub fn add_expression(
        &mut self,
        name: &str,
        expression: &str,
        index: &Index,
    ) -> Result<(), DefineError> {
        let parsed = Expression::parse(expression).map_err(QueryError::from)?;
        match parsed.meet_of_names() {
            Some(names) => {
                let ids = names.into_iter().map(|name| index.find(name));
                let ids = ids.collect::<Result<Vec<_>, _>>()?;
                let names: Vec<&str> = ids.into_iter().map(|concept| index.name(concept)).collect();
                Ok(self.add_meet(name, &names)?)
            }
            None => Ok(self.add_code(name, index.evaluate(expression)?.code.words())?),
        }
    }
}
