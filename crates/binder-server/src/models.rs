use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::{Arc, OnceLock};

use binder::Id;
use binder::place::Placer;
use binder::query::Index;

use binder_answers::names_of;

use crate::examples::{Example, examples};
use crate::layout::Partition;
use crate::openapi;
use crate::packed::Packed;

/// The models that are served, by name.
#[derive(Debug)]
pub struct Models {
    /// At least one. The first is the default.
    all: Vec<Arc<Served>>,
    placer: Option<Arc<Placer>>,
    /// A number that no other load has, because the same question may have another answer then.
    load: u64,
    description: OnceLock<Arc<Packed>>,
}

/// Why models cannot be served.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelsError {
    /// None was given.
    #[error("no model to serve")]
    None,
    /// Two have the same name.
    #[error("two models are called {0:?}; rename one of the files")]
    Twice(String),
}

/// A model, and what is computed from it once.
#[derive(Debug)]
pub(crate) struct Served {
    pub(crate) name: String,
    pub(crate) index: Index,
    map: OnceLock<Arc<Packed>>,
    all_names: OnceLock<Arc<Packed>>,
    /// A concept worth showing, and questions worth asking.
    first: OnceLock<(Option<Id>, Vec<Example>)>,
}

impl Models {
    /// Prepares models by name. Caches are filled now, so that the first request does not wait.
    pub fn new(models: impl IntoIterator<Item = (String, Index)>) -> Result<Self, ModelsError> {
        let mut all: Vec<Arc<Served>> = Vec::new();
        for (name, index) in models {
            if all.iter().any(|served| served.name == name) {
                return Err(ModelsError::Twice(name));
            }
            index.warm_up();
            all.push(Arc::new(Served {
                name,
                index,
                map: OnceLock::new(),
                all_names: OnceLock::new(),
                first: OnceLock::new(),
            }));
        }
        if all.is_empty() {
            return Err(ModelsError::None);
        }
        Ok(Self {
            all,
            placer: None,
            load: RandomState::new().hash_one(0),
            description: OnceLock::new(),
        })
    }

    /// The same models, and a placer for concepts that are not in them.
    #[must_use]
    pub fn with_placer(self, placer: Option<Placer>) -> Self {
        Self { placer: placer.map(Arc::new), ..self }
    }

    pub(crate) fn placer(&self) -> Option<&Arc<Placer>> {
        self.placer.as_ref()
    }

    /// The OpenAPI document with examples from the first model, made when it is first asked for.
    pub(crate) fn description(&self) -> io::Result<Arc<Packed>> {
        kept(&self.description, || {
            let example = self.all.first().and_then(|served| served.example());
            let document = openapi::document_with(example.as_deref());
            Packed::new("application/json", document)
        })
    }

    /// The OpenAPI document, if it was made.
    pub(crate) fn kept_description(&self) -> Option<&Packed> {
        self.description.get().map(|kept| &**kept)
    }

    /// The number of this load.
    pub(crate) fn load(&self) -> u64 {
        self.load
    }

    /// The model of a name, or the default.
    pub(crate) fn get(&self, name: Option<&str>) -> Option<&Arc<Served>> {
        match name {
            None | Some("") => self.all.first(),
            Some(name) => self.all.iter().find(|served| served.name == name),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Served> {
        self.all.iter().map(|served| &**served)
    }
}

impl Served {
    /// An interesting concept: deep in the hierarchy, with several parents if possible, and with
    /// some children.
    pub(crate) fn example(&self) -> Option<String> {
        self.first().0.map(|concept| self.index.name(concept).to_owned())
    }

    /// Questions worth asking.
    pub(crate) fn examples(&self) -> &[Example] {
        &self.first().1
    }

    fn first(&self) -> &(Option<Id>, Vec<Example>) {
        self.first.get_or_init(|| {
            let concept = self.interesting();
            (concept, examples(&self.index, concept))
        })
    }

    fn interesting(&self) -> Option<Id> {
        let hierarchy = self.index.hierarchy();
        let some = |&concept: &Id| (4..=20).contains(&hierarchy.children(concept).len());
        let worth = |&concept: &Id| {
            let parents = hierarchy.parents(concept).len().min(2);
            (parents, hierarchy.depth_of(concept), hierarchy.children(concept).len())
        };
        let largest = || hierarchy.ids().max_by_key(|&id| hierarchy.children(id).len());
        hierarchy.ids().filter(some).max_by_key(worth).or_else(largest)
    }

    /// The whole hierarchy as a map, made when it is first asked for.
    pub(crate) fn map(&self) -> io::Result<Arc<Packed>> {
        kept(&self.map, || {
            let map = Partition::new(self.index.hierarchy()).to_bytes();
            Packed::new("application/octet-stream", map)
        })
    }

    /// All names as JSON, made when they are first asked for.
    pub(crate) fn all_names(&self) -> io::Result<Arc<Packed>> {
        kept(&self.all_names, || {
            let names = names_of(&self.index, self.index.hierarchy().ids());
            Packed::new("application/json", serde_json::to_vec(&names)?)
        })
    }

    /// The map, if it was made.
    pub(crate) fn kept_map(&self) -> Option<&Packed> {
        self.map.get().map(|kept| &**kept)
    }

    /// All names, if they were made.
    pub(crate) fn kept_names(&self) -> Option<&Packed> {
        self.all_names.get().map(|kept| &**kept)
    }
}

fn kept(
    place: &OnceLock<Arc<Packed>>,
    make: impl FnOnce() -> io::Result<Packed>,
) -> io::Result<Arc<Packed>> {
    if let Some(kept) = place.get() {
        return Ok(Arc::clone(kept));
    }
    // Several may make it at once, which is rare; the first is kept.
    let made = Arc::new(make()?);
    Ok(Arc::clone(place.get_or_init(|| made)))
}
