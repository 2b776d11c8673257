use axum::Json;
use axum::extract::State;
use binder::Id;
use binder::query::{Index, Measure, QueryError};
use binder_answers::{
    Complement, Description, Explanation, Nearest, Page, Relatives, SearchResult, Standing, Taken,
};
use serde::Deserialize;
use utoipa::IntoParams;

use super::is_a::TwoConcepts;
use super::parameters::{OneConcept, Parameters, SharedState, in_background};
use crate::Shared;
use crate::problem::{Problem, Refusals};

/// Everything about a concept: its place, its bits and their meanings.
#[utoipa::path(get, path = "/v1/concept", params(OneConcept), tag = "questions", responses(
    (status = 200, description = "The concept", body = Description),
    Refusals,
))]
pub(crate) async fn concept(
    State(shared): SharedState,
    Parameters(one): Parameters<OneConcept>,
) -> Result<Json<Description>, Problem> {
    let (served, concept) = shared.concept(one.model.as_deref(), &one.name)?;
    let (served, page) = (served.clone(), shared.page(one.offset, one.limit)?);
    Ok(Json(in_background(move || Description::new(&served.index, concept, page)).await??))
}

/// Parameters of a list of hypernyms or hyponyms.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Listing {
    /// The concept
    name: String,
    /// Only the nearest ones: its parents or its children
    nearest: Option<bool>,
    /// The model; default: the first
    model: Option<String>,
    /// How many to skip
    offset: Option<usize>,
    /// How many to return; default 100
    limit: Option<usize>,
}

/// Everything above a concept, the most general first.
#[utoipa::path(get, path = "/v1/hypernyms", params(Listing), tag = "questions", responses(
    (status = 200, description = "The hypernyms", body = Relatives),
    Refusals,
))]
pub(crate) async fn hypernyms(
    State(shared): SharedState,
    Parameters(listing): Parameters<Listing>,
) -> Result<Json<Relatives>, Problem> {
    list(&shared, &listing, Relatives::above)
}

/// Everything below a concept, the most general first.
#[utoipa::path(get, path = "/v1/hyponyms", params(Listing), tag = "questions", responses(
    (status = 200, description = "The hyponyms", body = Relatives),
    Refusals,
))]
pub(crate) async fn hyponyms(
    State(shared): SharedState,
    Parameters(listing): Parameters<Listing>,
) -> Result<Json<Relatives>, Problem> {
    list(&shared, &listing, Relatives::below)
}

type Lister = fn(&Index, Id, bool, Page) -> Result<Relatives, QueryError>;

fn list(shared: &Shared, listing: &Listing, lister: Lister) -> Result<Json<Relatives>, Problem> {
    let (served, concept) = shared.concept(listing.model.as_deref(), &listing.name)?;
    let page = shared.page(listing.offset, listing.limit)?;
    Ok(Json(lister(&served.index, concept, listing.nearest.unwrap_or(false), page)?))
}

/// Several concepts.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Several {
    /// A concept; may be given more than once
    #[serde(default)]
    #[param(min_items = 1)]
    of: Vec<String>,
    /// The model; default: the first
    model: Option<String>,
    /// How many to skip in every list
    offset: Option<usize>,
    /// How many to return in every list; default 100
    limit: Option<usize>,
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
) -> Result<Json<Standing>, Problem> {
    derive(shared, several, Standing::meet).await
}

/// The join: what these concepts have in common. `nearest_above` has their lowest common hypernyms.
#[utoipa::path(get, path = "/v1/join", params(Several), tag = "algebra", responses(
    (status = 200, description = "The join", body = Standing),
    Refusals,
))]
pub(crate) async fn join(
    State(shared): SharedState,
    Parameters(several): Parameters<Several>,
) -> Result<Json<Standing>, Problem> {
    derive(shared, several, Standing::join).await
}

async fn derive(
    shared: std::sync::Arc<Shared>,
    several: Several,
    derive: fn(&Index, &[Id], Page) -> Result<Standing, QueryError>,
) -> Result<Json<Standing>, Problem> {
    if several.of.is_empty() {
        return Err(Problem::bad_request("of: name at least one concept, as in ?of=dog&of=cat"));
    }
    shared.check_question(several.of.len())?;
    let concept =
        |name: &String| shared.concept(several.model.as_deref(), name).map(|(_, concept)| concept);
    let ids = several.of.iter().map(concept).collect::<Result<Vec<Id>, _>>()?;
    let (served, page) = (
        shared.model(several.model.as_deref())?.clone(),
        shared.page(several.offset, several.limit)?,
    );
    Ok(Json(in_background(move || derive(&served.index, &ids, page)).await??))
}

/// The complement: what shares no bit with a concept, and what has no common hyponym with it.
#[utoipa::path(get, path = "/v1/complement", params(OneConcept), tag = "algebra", responses(
    (status = 200, description = "The complement", body = Complement),
    Refusals,
))]
pub(crate) async fn complement(
    State(shared): SharedState,
    Parameters(one): Parameters<OneConcept>,
) -> Result<Json<Complement>, Problem> {
    let (served, concept) = shared.concept(one.model.as_deref(), &one.name)?;
    let (served, page) = (served.clone(), shared.page(one.offset, one.limit)?);
    Ok(Json(in_background(move || Complement::new(&served.index, concept, page)).await??))
}

/// An expression.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Formula {
    /// `a & b` is the meet, `a | b` the join, `!a` the complement; ( ) and "quoted names"
    text: String,
    /// The model; default: the first
    model: Option<String>,
    /// How many to skip in every list
    offset: Option<usize>,
    /// How many to return in every list; default 100
    limit: Option<usize>,
}

/// The value of an expression.
#[utoipa::path(get, path = "/v1/expression", params(Formula), tag = "algebra", responses(
    (status = 200, description = "Where its code stands", body = Standing),
    Refusals,
))]
pub(crate) async fn expression(
    State(shared): SharedState,
    Parameters(formula): Parameters<Formula>,
) -> Result<Json<Standing>, Problem> {
    shared.check_question(formula.text.len())?;
    let (served, page) = (
        shared.model(formula.model.as_deref())?.clone(),
        shared.page(formula.offset, formula.limit)?,
    );
    in_background(move || Ok(Json(Standing::of_expression(&served.index, &formula.text, page)?)))
        .await?
}

/// Parameters of a similarity search.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Likeness {
    /// The concept
    name: String,
    /// The measure: hamming, jaccard (default), path, wu-palmer or lin
    by: Option<String>,
    /// How many; default 10
    count: Option<usize>,
    /// The model; default: the first
    model: Option<String>,
}

/// The most similar concepts.
#[utoipa::path(get, path = "/v1/nearest", params(Likeness), tag = "questions", responses(
    (status = 200, description = "The nearest concepts", body = Nearest),
    Refusals,
))]
pub(crate) async fn nearest(
    State(shared): SharedState,
    Parameters(likeness): Parameters<Likeness>,
) -> Result<Json<Nearest>, Problem> {
    let (served, concept) = shared.concept(likeness.model.as_deref(), &likeness.name)?;
    let by = likeness.by.as_deref().map_or(Ok(Measure::Jaccard), str::parse);
    let by: Measure = by.map_err(|error| Problem::bad_request(format!("by: {error}")))?;
    let count = shared.page(None, Some(likeness.count.unwrap_or(10)))?.limit;
    let served = served.clone();
    in_background(move || Ok(Json(Nearest::new(&served.index, concept, count, by)?))).await?
}

/// Why `child` is or is not a `parent`.
#[utoipa::path(get, path = "/v1/explain", params(TwoConcepts), tag = "questions", responses(
    (status = 200, description = "The reasons", body = Explanation),
    Refusals,
))]
pub(crate) async fn explain(
    State(shared): SharedState,
    Parameters(two): Parameters<TwoConcepts>,
) -> Result<Json<Explanation>, Problem> {
    let (served, child) = shared.concept(two.model.as_deref(), &two.child)?;
    let (_, parent) = shared.concept(two.model.as_deref(), &two.parent)?;
    let served = served.clone();
    Ok(Json(in_background(move || Explanation::new(&served.index, child, parent)).await??))
}

/// Parameters of a search by name.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Sought {
    /// Words in a name, a label or a synonym, in any order; typing errors are tolerated
    text: String,
    /// How many; default 10
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
) -> Result<Json<SearchResult>, Problem> {
    shared.check_question(sought.text.len())?;
    let served = shared.model(sought.model.as_deref())?.clone();
    let count = shared.page(None, Some(sought.count.unwrap_or(10)))?.limit;
    in_background(move || Json(SearchResult::new(&served.index, &sought.text, count))).await
}

/// A text to understand.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Words {
    /// A name, an identifier (CURIE or IRI), a label, a synonym, or the beginning of one
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
) -> Result<Json<Taken>, Problem> {
    shared.check_question(words.text.len())?;
    let served = shared.model(words.model.as_deref())?.clone();
    Ok(Json(in_background(move || Taken::new(&served.index, &words.text)).await??))
}
