use std::fmt;

use binder::Choice;
use binder::graph::Graph;
use binder::train::ParamError;

use crate::embedding::Shape;
use crate::method::{Method, Visitor, with_embedding};

/// Defines an enum that is a [`Choice`]. The doc comment of a variant is its help.
macro_rules! choices {
    ($(#[$meta:meta])* pub enum $type:ident {
        $($(#[doc = $help:literal])+ $variant:ident = $name:literal,)+
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $type {
            $($(#[doc = $help])+ $variant,)+
        }

        impl Choice for $type {
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

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

choices! {
    /// Which epoch's vectors to keep.
    pub enum KeepBy {
        /// The best F1 on the validation pairs; among equals the least training loss
        F1 = "f1",
        /// The least training loss
        Loss = "loss",
        /// The last
        Last = "last",
    }
}

choices! {
    /// Which pairs are never drawn as negatives.
    pub enum Filter {
        /// The training pairs
        Training = "training",
        /// All that follow from the data, held-out pairs too: this LEAKS the test pairs into
        /// training, and shows only what that would give
        Closure = "closure-leaks",
    }
}

/// The settings of a run. Start from those of a [`Method`], change some, then
/// [`check`](Self::check) them.
///
/// # Examples
///
/// ```
/// use binder_baselines::{BaselineParams, Method};
/// let params = BaselineParams::of(Method::Oe).with(|params| params.dim = 16);
/// assert!(params.check().is_ok());
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BaselineParams {
    /// The method.
    pub method: Method,
    /// Dimensions, `d`. Some methods have several numbers per dimension:
    /// [`numbers`](Self::numbers) counts them.
    pub dim: usize,
    /// The learning rate of Adam.
    pub rate: f64,
    /// Training pairs per step.
    pub batch: usize,
    /// Negatives per training pair, K.
    pub negatives: u32,
    /// The weight of the negatives in the loss, `w`; the positive has `1 − w`.
    pub weight: f64,
    /// The largest number of epochs.
    pub epochs: u32,
    /// Training stops after so many epochs without a better F1; 0 turns it off.
    pub patience: u32,
    /// Which epoch to keep.
    pub keep: KeepBy,
    /// Which pairs are never negatives.
    pub filter: Filter,
    /// How many concepts a batch draws its negatives from. Larger hierarchies get another such
    /// part of their concepts in every batch: random rows out of all would come from memory one by
    /// one.
    pub pool: usize,
    /// The seed of random numbers.
    pub seed: u64,
    /// The standard deviation of the vectors at the start.
    pub start: f64,
    /// The margin, m, of order embeddings and cones.
    pub margin: f64,
    /// The weight of the direction, α, of distances.
    pub direction: f64,
    /// The aperture of cones.
    pub aperture: f64,
    /// The least distance of cones from the origin and from the rim, ε.
    pub epsilon: f64,
    /// The temperature of corners, β, of Gumbel boxes.
    pub intersection: f64,
    /// The temperature of sides, τ, of Gumbel boxes.
    pub volume: f64,
}

/// Settings that have been checked. Training accepts only these.
#[derive(Debug, Clone, PartialEq)]
pub struct ValidBaselineParams(BaselineParams);

impl std::ops::Deref for ValidBaselineParams {
    type Target = BaselineParams;

    fn deref(&self) -> &BaselineParams {
        &self.0
    }
}

/// The most dimensions. A bilinear form of so many has a million shared numbers.
const MOST_DIMENSIONS: usize = 1024;

/// The most negatives per training pair, and the most training pairs per step.
const MOST_NEGATIVES: u32 = 65_536;

/// The most pairs of a step. Each that moves its rows is listed three times, in 12 bytes, so they
/// take up to 600 MB.
const MOST_PAIRS: usize = 1 << 24;

impl BaselineParams {
    /// The settings of a method that serve sets of some thousand concepts well. What tuning on
    /// validation pairs found is in docs/baselines.md.
    pub fn of(method: Method) -> Self {
        let common = Self {
            method,
            dim: 128,
            rate: 0.01,
            batch: 256,
            negatives: 128,
            weight: 0.9,
            epochs: 1000,
            patience: 100,
            keep: KeepBy::F1,
            filter: Filter::Training,
            pool: 4096,
            seed: 0,
            start: 1.0,
            margin: 1.0,
            direction: 0.1,
            aperture: 1.0,
            epsilon: 0.1,
            intersection: 0.01,
            volume: 1.0,
        };
        match method {
            Method::Sim | Method::Bilinear | Method::ComplEx => Self { start: 0.1, ..common },
            Method::Oe => Self { start: 0.01, batch: 64, patience: 200, ..common },
            Method::Poe => Self { start: 0.01, rate: 0.03, ..common },
            Method::Lorentzian => Self { start: 0.1, direction: 0.01, ..common },
            Method::Hec => Self { rate: 0.02, patience: 200, ..common },
            Method::GumbelBox => {
                Self { dim: 64, start: 0.1, rate: 0.05, epochs: 300, patience: 50, ..common }
            }
            Method::TBox => Self { dim: 32, weight: 0.5, epochs: 300, patience: 50, ..common },
            Method::Poincare => Self { start: 0.1, direction: 5.0, ..common },
        }
    }

    /// The same settings with some of them changed.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Changes one setting, given by the name of its field.
    ///
    /// # Errors
    ///
    /// When the method has no such setting, or the value is not of its kind.
    ///
    /// # Examples
    ///
    /// ```
    /// use binder_baselines::{BaselineParams, Method};
    /// let mut params = BaselineParams::of(Method::Oe);
    /// params.set("dim", "16")?;
    /// assert_eq!(params.dim, 16);
    /// let error = params.set("aperture", "1").unwrap_err();
    /// assert_eq!(error.to_string(), "aperture is 1; leave it out: oe has no such setting");
    /// # Ok::<(), binder_baselines::Error>(())
    /// ```
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        let wrong = |name: &'static str, remedy: String| ParamError {
            name,
            value: value.to_owned(),
            remedy,
        };
        fn number<N: std::str::FromStr>(
            place: &mut N,
            value: &str,
            wrong: impl FnOnce(String) -> ParamError,
        ) -> Result<(), ParamError> {
            *place = value.parse().map_err(|_| wrong("give a number".to_owned()))?;
            Ok(())
        }
        let unknown = |error: binder::UnknownChoice| error.to_string();
        let number_of = |name| move |remedy| wrong(name, remedy);
        match name {
            "dim" => number(&mut self.dim, value, number_of("dim")),
            "rate" => number(&mut self.rate, value, number_of("rate")),
            "batch" => number(&mut self.batch, value, number_of("batch")),
            "negatives" => number(&mut self.negatives, value, number_of("negatives")),
            "weight" => number(&mut self.weight, value, number_of("weight")),
            "epochs" => number(&mut self.epochs, value, number_of("epochs")),
            "patience" => number(&mut self.patience, value, number_of("patience")),
            "pool" => number(&mut self.pool, value, number_of("pool")),
            "seed" => number(&mut self.seed, value, number_of("seed")),
            "keep" => {
                self.keep = KeepBy::by_name(value).map_err(|e| wrong("keep", unknown(e)))?;
                Ok(())
            }
            "filter" => {
                self.filter = Filter::by_name(value).map_err(|e| wrong("filter", unknown(e)))?;
                Ok(())
            }
            _ => {
                let own = OWN.iter().find(|(own, ..)| *own == name);
                let (name, _, place) = own.ok_or_else(|| {
                    wrong("a setting", format!("there is no setting {name}; leave it out"))
                })?;
                if !self.method.own_settings().contains(name) {
                    let method = self.method;
                    let remedy = format!("leave it out: {method} has no such setting");
                    return Err(wrong(name, remedy));
                }
                number(place(self), value, number_of(name))
            }
        }
    }

    /// How many numbers there are: per concept, derived, and shared by all.
    pub fn shape(&self) -> Shape {
        struct ShapeOf;
        impl Visitor for ShapeOf {
            type Output = Shape;

            fn visit<E: crate::embedding::Embedding>(self, embedding: E) -> Shape {
                embedding.shape()
            }
        }
        with_embedding(self, ShapeOf)
    }

    /// Numbers learnt per concept: what to compare with a code's bits.
    pub fn numbers(&self) -> usize {
        self.shape().learnt
    }

    /// Every setting that means something to the method by name, as a model file stores it.
    pub fn notes(&self) -> Vec<(&'static str, String)> {
        let own = self.method.own_settings();
        let notes = vec![
            ("method", self.method.name().to_owned()),
            ("dim", self.dim.to_string()),
            ("rate", self.rate.to_string()),
            ("batch", self.batch.to_string()),
            ("negatives", self.negatives.to_string()),
            ("weight", self.weight.to_string()),
            ("epochs", self.epochs.to_string()),
            ("patience", self.patience.to_string()),
            ("keep", self.keep.name().to_owned()),
            ("filter", self.filter.name().to_owned()),
            ("pool", self.pool.to_string()),
            ("seed", self.seed.to_string()),
        ];
        let some = OWN.iter().filter(|(name, ..)| own.contains(name));
        notes.into_iter().chain(some.map(|(name, of, _)| (*name, of(self).to_string()))).collect()
    }

    /// The settings that a model file notes. Settings it does not have are those of the method.
    pub(crate) fn from_notes<'a>(note: impl Fn(&str) -> Option<&'a str>) -> Result<Self, String> {
        let needed = |name: &str| note(name).ok_or_else(|| format!("has no {name}"));
        let method = Method::by_name(needed("method")?).map_err(|error| error.to_string())?;
        let mut params = Self::of(method);
        params.dim = needed("dim")?.parse().map_err(|_| "dim is not a number".to_owned())?;
        for (name, _, set) in OWN {
            if let Some(text) = note(name) {
                let value = text.parse().map_err(|_| format!("{name} is not a number"))?;
                *set(&mut params) = value;
            }
        }
        Ok(params)
    }

    /// Checks every setting.
    ///
    /// # Errors
    ///
    /// When a setting has an invalid value.
    pub fn check(self) -> Result<ValidBaselineParams, ParamError> {
        let wrong = |name, value: &dyn fmt::Display, remedy: &str| {
            Err(ParamError { name, value: value.to_string(), remedy: remedy.to_owned() })
        };
        if self.dim == 0 || self.dim > MOST_DIMENSIONS {
            return wrong("dim", &self.dim, &format!("choose from 1 to {MOST_DIMENSIONS}"));
        }
        if self.batch == 0 || self.batch > MOST_NEGATIVES as usize {
            return wrong("batch", &self.batch, &format!("choose from 1 to {MOST_NEGATIVES}"));
        }
        if self.negatives == 0 || self.negatives > MOST_NEGATIVES {
            let remedy = format!("choose from 1 to {MOST_NEGATIVES}");
            return wrong("negatives", &self.negatives, &remedy);
        }
        let most = MOST_PAIRS / (self.negatives as usize + 1);
        if self.batch > most {
            let remedy = format!("with {} negatives, choose at most {most}", self.negatives);
            return wrong("batch", &self.batch, &remedy);
        }
        if self.epochs == 0 {
            return wrong("epochs", &self.epochs, "choose at least 1");
        }
        if self.pool < 2 {
            return wrong("pool", &self.pool, "choose at least 2");
        }
        if !(self.weight > 0.0 && self.weight < 1.0) {
            return wrong("weight", &self.weight, "choose a number between 0 and 1");
        }
        if !(self.epsilon > 0.0 && self.epsilon < 0.5) {
            return wrong("epsilon", &self.epsilon, "choose a number between 0 and 0.5");
        }
        let positive = [("rate", self.rate)];
        let own = OWN.iter().filter(|(name, ..)| self.method.own_settings().contains(name));
        let own = own.map(|&(name, of, _)| (name, of(&self)));
        for (name, value) in positive.into_iter().chain(own) {
            let least = if name == "direction" { 0.0 } else { f64::MIN_POSITIVE };
            if !(value.is_finite() && value >= least && value <= 1e6) {
                return wrong(name, &value, "choose a number above 0 and at most 1000000");
            }
        }
        Ok(ValidBaselineParams(self))
    }
}

/// A setting that only some methods have: its name, and how to read and to change it.
type Own = (&'static str, fn(&BaselineParams) -> f64, fn(&mut BaselineParams) -> &mut f64);

/// The settings that only some methods have.
const OWN: [Own; 7] = [
    ("start", |params| params.start, |params| &mut params.start),
    ("margin", |params| params.margin, |params| &mut params.margin),
    ("direction", |params| params.direction, |params| &mut params.direction),
    ("aperture", |params| params.aperture, |params| &mut params.aperture),
    ("epsilon", |params| params.epsilon, |params| &mut params.epsilon),
    ("intersection", |params| params.intersection, |params| &mut params.intersection),
    ("volume", |params| params.volume, |params| &mut params.volume),
];

/// Whether there is a pair that is no training pair.
pub(crate) fn has_negatives(pairs: &Graph) -> bool {
    let concepts = pairs.concepts() as u64;
    (pairs.len() as u64) < concepts * concepts.saturating_sub(1)
}
