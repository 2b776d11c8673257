//! Settings with a few named values. Each value has a name that people write and a line of help.

/// A setting with a few named values.
///
/// Every front end offers the same names with the same help, so none has a list of its own.
///
/// # Examples
///
/// ```
/// use binder::{Choice, encode::Effort};
/// let names: Vec<_> = Effort::ALL.iter().map(|effort| effort.name()).collect();
/// assert_eq!(names, ["fast", "normal", "max"]);
/// assert_eq!("max".parse(), Ok(Effort::Max));
/// assert_eq!("most".parse::<Effort>().unwrap_err().to_string(),
///            "\"most\" is not one of fast, normal, max");
/// ```
pub trait Choice: Copy + Eq + Send + Sync + 'static {
    /// All values, in the order of the documentation.
    const ALL: &'static [Self];

    /// The name that people write.
    fn name(self) -> &'static str;

    /// The meaning, in one line.
    fn help(self) -> &'static str;

    /// Earlier names that are still accepted.
    fn former_names(self) -> &'static [&'static str] {
        &[]
    }

    /// The value with that name.
    ///
    /// # Errors
    ///
    /// When no value has that name. The error lists all names.
    fn by_name(name: &str) -> Result<Self, UnknownChoice> {
        let matches =
            |choice: &&Self| choice.name() == name || choice.former_names().contains(&name);
        Self::ALL.iter().find(matches).copied().ok_or_else(|| UnknownChoice {
            name: name.to_owned(),
            choices: Self::ALL.iter().map(|choice| choice.name()).collect(),
        })
    }
}

/// The error for a name that no value of a [`Choice`] has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is not one of {}", .choices.join(", "))]
pub struct UnknownChoice {
    /// The unknown name.
    pub name: String,
    /// The names of all values.
    pub choices: Vec<&'static str>,
}

/// Defines an enum that is a [`Choice`], with `Display`, `FromStr` and serde by name. The doc
/// comment of a variant is its help; its lines are joined.
macro_rules! choices {
    (
        $(#[$meta:meta])*
        pub enum $type:ident {
            $($(#[doc = $help:literal])+ $(#[default $($nothing:tt)*])?
                $variant:ident = $name:literal $(| $former:literal)*,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $type {
            $($(#[doc = $help])+ $(#[default $($nothing)*])? $variant,)+
        }

        impl $crate::choice::Choice for $type {
            const ALL: &'static [Self] = &[$(Self::$variant,)+];

            fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            fn help(self) -> &'static str {
                match self {
                    $(Self::$variant => concat!($($help),+).trim_ascii(),)+
                }
            }

            fn former_names(self) -> &'static [&'static str] {
                match self {
                    $(Self::$variant => &[$($former,)*],)+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad($crate::choice::Choice::name(*self))
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::choice::UnknownChoice;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                $crate::choice::Choice::by_name(name)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($crate::choice::Choice::name(*self))
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let name = String::deserialize(from)?;
                name.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use choices;
