//! The methods, one file each.

mod bilinear;
mod boxes;
mod complex;
mod gumbel_box;
mod hec;
mod lorentzian;
pub(crate) mod oe;
mod poe;
mod poincare;
mod sim;
mod t_box;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use binder::{Choice, UnknownChoice};

use crate::embedding::Embedding;
use crate::params::BaselineParams;

/// Work that is done with the embedding of a method, whichever it is.
pub(crate) trait Visitor {
    /// The result.
    type Output;

    fn visit<E: Embedding + Send + Copy + 'static>(self, embedding: E) -> Self::Output;
}

/// Defines [`Method`] from the list of methods: name, a line of help, the settings that only some
/// methods have, and the embedding.
macro_rules! methods {
    ($(
        $(#[doc = $help:literal])+
        $variant:ident = $name:literal $own:expr => |$p:ident| $make:expr;
    )+) => {
        /// A method, by name.
        ///
        /// # Examples
        ///
        /// ```
        /// use binder_baselines::Method;
        /// assert_eq!("t-box".parse(), Ok(Method::TBox));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Method {
            $($(#[doc = $help])+ $variant,)+
        }

        impl Choice for Method {
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
        }

        impl Method {
            /// The settings that only some methods have and this one does, by the names of their
            /// fields.
            pub fn own_settings(self) -> &'static [&'static str] {
                match self {
                    $(Self::$variant => &$own,)+
                }
            }
        }

        /// Does the work with the embedding that the settings stand for.
        pub(crate) fn with_embedding<V: Visitor>(params: &BaselineParams, visitor: V) -> V::Output {
            match params.method {
                $(Method::$variant => { let $p = params; visitor.visit($make) })+
            }
        }
    };
}

methods! {
    /// Scalar products of two vectors per concept
    Sim = "sim" ["start"] => |p| sim::Sim { dim: p.dim, start: p.start };
    /// A bilinear form of two vectors per concept
    Bilinear = "bilinear" ["start"] => |p| bilinear::Bilinear { dim: p.dim, start: p.start };
    /// ComplEx: products of complex vectors
    ComplEx = "complex" ["start"] => |p| complex::ComplEx { dim: p.dim, start: p.start };
    /// Order embeddings: a child is at least as large in every dimension
    Oe = "oe" ["start", "margin"] => |p| oe::Oe { dim: p.dim, start: p.start };
    /// Probabilistic order embeddings: cones with a measure
    Poe = "poe" ["start"] => |p| poe::Poe { dim: p.dim, start: p.start };
    /// Lorentzian distance, parents nearer the origin
    Lorentzian = "lorentzian" ["start", "direction"] => |p| {
        lorentzian::Lorentzian { dim: p.dim, start: p.start, direction: p.direction }
    };
    /// Hyperbolic entailment cones
    Hec = "hec" ["margin", "aperture", "epsilon"] => |p| {
        hec::Hec { dim: p.dim, aperture: p.aperture, epsilon: p.epsilon }
    };
    /// Gumbel boxes: boxes with random corners
    GumbelBox = "gumbel-box" ["start", "intersection", "volume"] => |p| {
        gumbel_box::GumbelBox {
            dim: p.dim,
            intersection: p.intersection,
            volume: p.volume,
            start: p.start,
        }
    };
    /// t-Boxes: Gumbel boxes with temperatures that are learnt
    TBox = "t-box" ["start"] => |p| t_box::TBox { dim: p.dim, start: p.start };
    /// Poincaré embeddings, parents nearer the origin
    Poincare = "poincare" ["start", "direction"] => |p| {
        poincare::Poincare { dim: p.dim, start: p.start, direction: p.direction }
    };
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Method {
    type Err = UnknownChoice;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::by_name(name)
    }
}
