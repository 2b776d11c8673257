use super::{GrowError, Growth};
use crate::Error;
use crate::query::{Expression, Index, QueryError};

impl Growth {
    /// Adds concepts, each with its parents, in any order: a concept waits for those of its parents that are new too.
    pub fn add_all(&mut self, mut waiting: Vec<(String, Vec<String>)>) -> Result<(), Error> {
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut still = Vec::new();
            for (name, parents) in waiting {
                let names: Vec<&str> = parents.iter().map(String::as_str).collect();
                match self.add(&name, &names) {
                    Err(Error::Grow(GrowError::NoParent(_))) => still.push((name, parents)),
                    other => other?,
                }
            }
            if still.len() == before {
                let (name, parents) = &still[0];
                self.add(name, &parents.iter().map(String::as_str).collect::<Vec<_>>())?;
            }
            waiting = still;
        }
        Ok(())
    }

    /// Adds the value that an expression has in `index`, the model as it was. The meet of names is exact; any other value stands where
    /// its code does.
    pub fn add_expression(&mut self, name: &str, expression: &str, index: &Index) -> Result<(), Error> {
        match Expression::parse(expression).map_err(QueryError::from)?.meet_of_names() {
            Some(names) => {
                let ids = names.into_iter().map(|name| index.find(name)).collect::<Result<Vec<_>, _>>()?;
                let names: Vec<&str> = ids.into_iter().map(|concept| index.name(concept)).collect();
                self.add_meet(name, &names)
            }
            None => self.add_code(name, &index.evaluate(expression)?.code),
        }
    }
}
