use std::sync::Arc;

use axum::extract::State;
use binder::Id;
use binder::query::{Index, Measure, QueryError};
use binder_answers::{
    Complement, Description, Explanation, Nearest, Page, SearchResult, Standing, Taken,
};
use schemars::JsonSchema;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::is_a::TwoConcepts;
use super::parameters::{Asking, OneConcept, Parameters, SharedState};
use super::reply::{Answer, Wants};
use crate::Shared;
use crate::problem::{Problem, Refusals};

impl OneConcept {
    /// Answers a question about the concept.
    fn ask<T>(
        &self,
        asking: &Asking,
        answer: fn(&Index, Id, Page) -> Result<T, QueryError>,
    ) -> Result<T, Problem> {
        let (served, concept) = asking.concept(self.model.as_deref(), &self.name)?;
        let page = asking.page(self.offset, self.limit, self.cursor.as_deref())?;
        Ok(answer(&served.index, concept, page)?)
    }
}

/// Everything about a concept: its place, its bits and their meanings.
#[utoipa::path(get, path = "/v1/concept", params(OneConcept), tag = "questions", responses(
    (status = 200, description = "The concept", body = Description),
    Refusals,
))]
pub(crate) async fn concept(
    State(shared): SharedState,
    Parameters(one): Parameters<OneConcept>,
    wants: Wants,
) -> Answer {
    shared.quick(wants, move |asking| one.ask(asking, Description::new)).await
}

/// Several concepts.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Several {
    /// A concept: its name, an identifier, its label, a synonym, or an unambiguous prefix of one;
    /// may be given more than once
    #[serde(default)]
    #[param(min_items = 1, max_items = 1000, example = json!(["dog.n.01"]))]
    of: Vec<String>,
    /// The model; default: the first
    model: Option<String>,
    /// How many to skip in every list
    #[param(minimum = 0, default = 0)]
    offset: Option<usize>,
    /// How many to return in every list
    #[param(minimum = 0, maximum = 10000, default = 100)]
    limit: Option<usize>,
    /// Where to go on: what `next` said. It takes the place of `offset`
    cursor: Option<String>,
}

/// The meet: what is all of these concepts at once; see `most_general_below`. If nothing is below
/// it, nothing is all of them.
#[utoipa::path(get, path = "/v1/meet", params(Several), tag = "algebra", responses(
    (status = 200, description = "The meet", body = Standing),
    Refusals,
))]
pub(crate) async fn meet(
    State(shared): SharedState,
    Parameters(several): Parameters<Several>,
    wants: Wants,
) -> Answer {
    derive(&shared, several, wants, Standing::meet).await
}

/// The join: what these concepts have in common. `nearest_above` has their lowest common hypernyms.
#[utoipa::path(get, path = "/v1/join", params(Several), tag = "algebra", responses(
    (status = 200, description = "The join", body = Standing),
    Refusals,
))]
pub(crate) async fn join(
    State(shared): SharedState,
    Parameters(several): Parameters<Several>,
    wants: Wants,
) -> Answer {
    derive(&shared, several, wants, Standing::join).await
}

async fn derive(
    shared: &Arc<Shared>,
    several: Several,
    wants: Wants,
    derive: fn(&Index, &[Id], Page) -> Result<Standing, QueryError>,
) -> Answer {
    if several.of.is_empty() {
        return Err(Problem::bad_request("of: name at least one concept, as in ?of=dog&of=cat"));
    }
    let work = move |asking: &Asking| {
        asking.check_question(several.of.len())?;
        let concept = |name: &String| {
            asking.concept(several.model.as_deref(), name).map(|(_, concept)| concept)
        };
        let ids = several.of.iter().map(concept).collect::<Result<Vec<Id>, _>>()?;
        let index = &asking.model(several.model.as_deref())?.index;
        let page = asking.page(several.offset, several.limit, several.cursor.as_deref())?;
        Ok(derive(index, &ids, page)?)
    };
    shared.long(wants, work).await
}

/// The complement: what shares no bit with a concept, and what has no common hyponym with it.
#[utoipa::path(get, path = "/v1/complement", params(OneConcept), tag = "algebra", responses(
    (status = 200, description = "The complement", body = Complement),
    Refusals,
))]
pub(crate) async fn complement(
    State(shared): SharedState,
    Parameters(one): Parameters<OneConcept>,
    wants: Wants,
) -> Answer {
    shared.long(wants, move |asking| one.ask(asking, Complement::new)).await
}

/// An expression.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Formula {
    /// `a & b` is the meet, `a | b` the join, `!a` the complement; ( ) and "quoted names"
    #[param(example = "dog.n.01 | dog.n.01", min_length = 1, max_length = 1000)]
    text: String,
    /// The model; default: the first
    model: Option<String>,
    /// How many to skip in every list
    #[param(minimum = 0, default = 0)]
    offset: Option<usize>,
    /// How many to return in every list
    #[param(minimum = 0, maximum = 10000, default = 100)]
    limit: Option<usize>,
    /// Where to go on: what `next` said. It takes the place of `offset`
    cursor: Option<String>,
}

/// The value of an expression.
#[utoipa::path(get, path = "/v1/expression", params(Formula), tag = "algebra", responses(
    (status = 200, description = "Where its code stands", body = Standing),
    Refusals,
))]
pub(crate) async fn expression(
    State(shared): SharedState,
    Parameters(formula): Parameters<Formula>,
    wants: Wants,
) -> Answer {
    let work = move |asking: &Asking| {
        asking.check_question(formula.text.len())?;
        let index = &asking.model(formula.model.as_deref())?.index;
        let page = asking.page(formula.offset, formula.limit, formula.cursor.as_deref())?;
        Ok(Standing::of_expression(index, &formula.text, page)?)
    };
    shared.long(wants, work).await
}

/// How similarity is measured.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(default = "jaccard")]
pub(crate) enum By {
    Hamming,
    #[default]
    Jaccard,
    Path,
    WuPalmer,
    Lin,
}

impl From<By> for Measure {
    fn from(by: By) -> Self {
        match by {
            By::Hamming => Self::Hamming,
            By::Jaccard => Self::Jaccard,
            By::Path => Self::Path,
            By::WuPalmer => Self::WuPalmer,
            By::Lin => Self::Lin,
        }
    }
}

/// Parameters of a similarity search.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Likeness {
    /// The concept: its name, an identifier, its label, a synonym, or an unambiguous prefix of one
    #[param(example = "dog.n.01", min_length = 1, max_length = 1000)]
    name: String,
    /// The measure
    #[param(inline)]
    by: Option<By>,
    /// How many to return
    #[param(minimum = 0, maximum = 10000, default = 10)]
    limit: Option<usize>,
    /// The former name of `limit`
    #[param(minimum = 0, maximum = 10000)]
    count: Option<usize>,
    /// The model; default: the first
    model: Option<String>,
}

/// How many are returned of what is found, unless the request says so.
const TEN: usize = 10;

/// The most similar concepts.
#[utoipa::path(get, path = "/v1/nearest", params(Likeness), tag = "questions", responses(
    (status = 200, description = "The nearest concepts", body = Nearest),
    Refusals,
))]
pub(crate) async fn nearest(
    State(shared): SharedState,
    Parameters(likeness): Parameters<Likeness>,
    wants: Wants,
) -> Answer {
    let work = move |asking: &Asking| {
        let (served, concept) = asking.concept(likeness.model.as_deref(), &likeness.name)?;
        let limit = likeness.limit.or(likeness.count).unwrap_or(TEN);
        let page = asking.page(None, Some(limit), None)?;
        let by = likeness.by.unwrap_or_default().into();
        Ok(Nearest::new(&served.index, concept, page.limit, by)?)
    };
    shared.quick(wants, work).await
}

/// Why `child` is or is not a `parent`.
#[utoipa::path(get, path = "/v1/explain", params(TwoConcepts), tag = "questions", responses(
    (status = 200, description = "The reasons", body = Explanation),
    Refusals,
))]
pub(crate) async fn explain(
    State(shared): SharedState,
    Parameters(two): Parameters<TwoConcepts>,
    wants: Wants,
) -> Answer {
    let work = move |asking: &Asking| {
        let (served, child) = asking.concept(two.model.as_deref(), &two.child)?;
        let (_, parent) = asking.concept(two.model.as_deref(), &two.parent)?;
        Ok(Explanation::new(&served.index, child, parent)?)
    };
    shared.quick(wants, work).await
}

/// Parameters of a search by name.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Sought {
    /// Words in a name, a label or a synonym, in any order; typing errors are tolerated
    #[param(example = "dog", max_length = 1000)]
    text: String,
    /// How many to return
    #[param(minimum = 0, maximum = 10000, default = 10)]
    limit: Option<usize>,
    /// The former name of `limit`
    #[param(minimum = 0, maximum = 10000)]
    count: Option<usize>,
    /// The model; default: the first
    model: Option<String>,
}

/// Finds concepts by name.
#[utoipa::path(get, path = "/v1/search", params(Sought), tag = "questions", responses(
    (status = 200, description = "The best match first", body = SearchResult),
    Refusals,
))]
pub(crate) async fn search(
    State(shared): SharedState,
    Parameters(sought): Parameters<Sought>,
    wants: Wants,
) -> Answer {
    let work = move |asking: &Asking| {
        asking.check_question(sought.text.len())?;
        let index = &asking.model(sought.model.as_deref())?.index;
        let limit = sought.limit.or(sought.count).unwrap_or(TEN);
        let page = asking.page(None, Some(limit), None)?;
        Ok(SearchResult::new(index, &sought.text, page.limit))
    };
    shared.quick(wants, work).await
}

/// A text to understand.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Words {
    /// A name, an identifier (CURIE or IRI), a label, a synonym, or the beginning of one
    #[param(example = "dog", min_length = 1, max_length = 1000)]
    text: String,
    /// The model; default: the first
    model: Option<String>,
}

/// Which concept a text stands for, and what else it may mean.
#[utoipa::path(get, path = "/v1/find", params(Words), tag = "questions", responses(
    (status = 200, description = "The likeliest concept, and the runners-up", body = Taken),
    Refusals,
))]
pub(crate) async fn find(
    State(shared): SharedState,
    Parameters(words): Parameters<Words>,
    wants: Wants,
) -> Answer {
    let work = move |asking: &Asking| {
        asking.check_question(words.text.len())?;
        let index = &asking.model(words.model.as_deref())?.index;
        Ok(Taken::new(index, &words.text)?)
    };
    shared.quick(wants, work).await
}
