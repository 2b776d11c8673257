use utoipa::OpenApi;

use crate::routes;

/// The description of the API.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Binder",
        description = "Concept hierarchies as short bit codes: a is-a b exactly when a has every bit of b. \
            A concept is given by its name, an identifier (CURIE or IRI), its label, a synonym, or an \
            unambiguous prefix of one. Where several concepts share a word, it stands for the likeliest; \
            /v1/find says which, and what else it may mean. Whole names are always exact. \
            Errors are problem documents (RFC 9457).",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    paths(
        routes::is_a,
        routes::is_a_batch,
        routes::concept,
        routes::hypernyms,
        routes::hyponyms,
        routes::nearest,
        routes::explain,
        routes::search,
        routes::find,
        routes::place,
        routes::preview,
        routes::summaries,
        routes::meet,
        routes::join,
        routes::complement,
        routes::expression,
        routes::graph,
        routes::map,
        routes::names,
        routes::models,
        routes::healthz,
        routes::metrics,
    )
)]
struct Api;

/// The OpenAPI document, as JSON.
pub fn document() -> String {
    Api::openapi().to_pretty_json().unwrap_or_default()
}
