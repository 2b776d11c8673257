use super::{Expression, Index, QueryError};
use crate::grow::{GrowError, Growth};

/// Why the value of an expression could not be added as a concept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DefineError {
    /// The expression cannot be evaluated.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// Its value could not be added.
    #[error(transparent)]
    Grow(#[from] GrowError),
}

impl Growth {
    /// Adds the value that an expression has in `index`, the model before any addition. A meet of
    /// names is exact. Any other value is placed by its code alone.
    ///
    /// # Errors
    ///
    /// When the expression cannot be parsed or evaluated, or its value cannot be added.
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
