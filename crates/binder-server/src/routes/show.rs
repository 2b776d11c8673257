//! Routes for the drawings of the page.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use binder_answers::names_of;
use serde::Deserialize;
use utoipa::IntoParams;

use super::parameters::{Parameters, SharedState, in_background};
use crate::layout::{Drawing, Wish, draw};
use crate::problem::{Problem, Refusals};

/// Parameters of a drawing.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Canvas {
    /// The concept
    name: String,
    /// The model; default: the first
    model: Option<String>,
    /// The width in pixels; default 900
    #[param(minimum = 200, maximum = 10000)]
    width: Option<u32>,
    /// The maximum number of children; default 40
    #[param(minimum = 0, maximum = 1000)]
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
) -> Result<Json<Drawing>, Problem> {
    let (served, concept) = shared.concept(canvas.model.as_deref(), &canvas.name)?;
    let (width, children) = (canvas.width.unwrap_or(900), canvas.children.unwrap_or(40));
    if !(200..=10_000).contains(&width) || children > 1000 {
        return Err(Problem::bad_request(
            "width must be from 200 to 10,000, and children at most 1,000",
        ));
    }
    shared.check_question(canvas.filter.as_ref().map_or(0, String::len))?;
    let served = served.clone();
    let wish = Wish {
        width: f64::from(width),
        fold: canvas.fold.unwrap_or(false),
        filter: canvas.filter.unwrap_or_default(),
        offset: canvas.offset.unwrap_or(0),
        children,
    };
    let drawing = move || draw(&served.index, concept, &wish);
    Ok(Json(in_background(drawing).await??))
}

/// A model.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct WhichModel {
    /// The model; default: the first
    model: Option<String>,
}

/// The whole hierarchy as an icicle plot, in little-endian 32-bit numbers: the numbers of leaves,
/// levels and cells; the end of each level; the start of each cell, in leaves; the end of each
/// cell; the concept of each cell, as an index into /v1/names.
#[utoipa::path(get, path = "/v1/map", params(WhichModel), tag = "drawings", responses(
    (status = 200, description = "The cells", body = Vec<u8>, content_type = "application/octet-stream"),
    Refusals,
))]
pub(crate) async fn map(
    State(shared): SharedState,
    Parameters(which): Parameters<WhichModel>,
) -> Result<impl IntoResponse, Problem> {
    let served = shared.model(which.model.as_deref())?.clone();
    let bytes = in_background(move || served.map().to_bytes()).await?;
    Ok(([(header::CONTENT_TYPE, "application/octet-stream")], bytes))
}

/// All names, in the order of the concepts' ids.
#[utoipa::path(get, path = "/v1/names", params(WhichModel), tag = "drawings", responses(
    (status = 200, description = "The names", body = Vec<String>),
    Refusals,
))]
pub(crate) async fn names(
    State(shared): SharedState,
    Parameters(which): Parameters<WhichModel>,
) -> Result<Json<Vec<String>>, Problem> {
    let served = shared.model(which.model.as_deref())?.clone();
    in_background(move || Json(names_of(&served.index, served.index.hierarchy().ids()))).await
}
