//! Routes for the drawings of the page.

use std::io;
use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::parameters::{Asking, Parameters, SharedState};
use super::reply::{Answer, Wants};
use crate::Shared;
use crate::layout::{Drawing, Wish, draw};
use crate::models::Served;
use crate::packed::Packed;
use crate::problem::{Problem, Refusals};

/// Parameters of a drawing.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Canvas {
    /// The concept: its name, an identifier, its label, a synonym, or an unambiguous prefix of one
    #[param(example = "dog.n.01", min_length = 1, max_length = 1000)]
    name: String,
    /// The model; default: the first
    model: Option<String>,
    /// The width in pixels
    #[param(minimum = 200, maximum = 10000, default = 900)]
    width: Option<u32>,
    /// The maximum number of children
    #[param(minimum = 0, maximum = 1000, default = 40)]
    children: Option<usize>,
    /// How many children to skip
    offset: Option<usize>,
    /// Only children whose name, label or synonym contains this text
    filter: Option<String>,
    /// Whether chains of three or more single parents become one box; default false
    fold: Option<bool>,
}

/// The layout of a concept, everything above it and its children.
#[utoipa::path(get, path = "/v1/graph", params(Canvas), tag = "drawings", responses(
    (status = 200, description = "Boxes and lines", body = Drawing),
    Refusals,
))]
pub(crate) async fn graph(
    State(shared): SharedState,
    Parameters(canvas): Parameters<Canvas>,
    wants: Wants,
) -> Answer {
    let (width, children) = (canvas.width.unwrap_or(900), canvas.children.unwrap_or(40));
    if !(200..=10_000).contains(&width) || children > 1000 {
        return Err(Problem::bad_request(
            "width must be from 200 to 10,000, and children at most 1,000",
        ));
    }
    let work = move |asking: &Asking| {
        asking.check_question(canvas.filter.as_ref().map_or(0, String::len))?;
        let (served, concept) = asking.concept(canvas.model.as_deref(), &canvas.name)?;
        let wish = Wish {
            width: f64::from(width),
            fold: canvas.fold.unwrap_or(false),
            filter: canvas.filter.unwrap_or_default(),
            offset: canvas.offset.unwrap_or(0),
            children,
        };
        Ok(draw(&served.index, concept, &wish)?)
    };
    shared.quick(wants, work).await
}

/// A model.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct WhichModel {
    /// The model; default: the first
    model: Option<String>,
}

/// Numbers of 32 bits each, the lowest byte first.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[allow(dead_code, reason = "used only for the OpenAPI document")]
pub(crate) struct Cells(Vec<u8>);

/// The whole hierarchy as an icicle plot, in little-endian 32-bit numbers without a gap:
///
/// 1. the number of leaves *w*, of levels *l* and of cells *c*;
/// 2. *l* numbers: where each level ends in the cells. The first level, that of the roots, begins
///    at 0, and each other one where the one before ends;
/// 3. *c* numbers: where each cell begins, from 0 to *w*;
/// 4. *c* numbers: where each cell ends;
/// 5. *c* numbers: the concept of each cell, as an index into `/v1/names`.
///
/// That is 4 (3 + *l* + 3 *c*) bytes. A cell lies within that of its parent, one level higher. A
/// concept with several parents has one cell, below the first of them.
#[utoipa::path(get, path = "/v1/map", params(WhichModel), tag = "drawings", responses(
    (status = 200, description = "The cells", body = Cells, content_type = "application/octet-stream"),
    Refusals,
))]
pub(crate) async fn map(
    State(shared): SharedState,
    Parameters(which): Parameters<WhichModel>,
    headers: HeaderMap,
) -> Answer {
    kept(&shared, &which, &headers, Served::kept_map, Served::map).await
}

/// All names, in the order of the concepts' ids.
#[utoipa::path(get, path = "/v1/names", params(WhichModel), tag = "drawings", responses(
    (status = 200, description = "The names", body = Vec<String>),
    Refusals,
))]
pub(crate) async fn names(
    State(shared): SharedState,
    Parameters(which): Parameters<WhichModel>,
    headers: HeaderMap,
) -> Answer {
    kept(&shared, &which, &headers, Served::kept_names, Served::all_names).await
}

/// What is made and compressed once for a model; made in a lane if this is the first time.
async fn kept(
    shared: &Arc<Shared>,
    which: &WhichModel,
    headers: &HeaderMap,
    there: fn(&Served) -> Option<&Packed>,
    make: fn(&Served) -> io::Result<Arc<Packed>>,
) -> Answer {
    let served = Arc::clone(shared.asking(Default::default()).model(which.model.as_deref())?);
    if let Some(kept) = there(&served) {
        return Ok(kept.answer(headers));
    }
    let made = shared.lanes.long.run(move |_| make(&served)).await?;
    Ok(made.map_err(|error| Problem::internal(error.to_string()))?.answer(headers))
}
