use serde_json::{Value, json};
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
            Lists come in pages: where an answer has `next`, the same request with `cursor` set to it \
            gives the next page. Answers have tags (ETag); a client that sends one back with \
            If-None-Match gets 304 without a body as long as the answer is the same. \
            Errors are problem documents (RFC 9457).",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    paths(
        routes::is_a,
        routes::is_a_batch,
        routes::concept,
        routes::hypernyms,
        routes::many_hypernyms,
        routes::hyponyms,
        routes::many_hyponyms,
        routes::nearest,
        routes::explain,
        routes::search,
        routes::find,
        routes::place,
        routes::preview,
        routes::add,
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
        routes::readyz,
        routes::metrics,
        routes::reload,
    )
)]
struct Api;

/// The OpenAPI document, as JSON.
pub fn document() -> String {
    document_with(None)
}

/// The concept in the examples.
const EXAMPLE: &str = "dog.n.01";

/// The document with a concept that exists in its examples.
pub(crate) fn document_with(example: Option<&str>) -> String {
    // A document that was just made from a structure can be read back.
    let text = Api::openapi().to_json().unwrap_or_default();
    let mut document: Value = serde_json::from_str(&text).unwrap_or_default();
    add_shared_answers(&mut document);
    // A pair has two.
    let pair = &mut document["components"]["schemas"]["Batch"]["properties"]["pairs"]["items"];
    (pair["minItems"], pair["maxItems"]) = (2.into(), 2.into());
    if let Some(example) = example {
        replace_example(&mut document, example);
    }
    serde_json::to_string_pretty(&document).unwrap_or_default()
}

/// What any route may answer, and why.
const SHARED_ANSWERS: [(&str, &str); 7] = [
    ("400", "The request cannot be read, or asks for too much"),
    ("401", "The server wants a token, and the request has none"),
    ("414", "The address is longer than 16,384 bytes"),
    ("421", "The server does not go by the name in the header Host"),
    ("431", "The headers are larger than 32,768 bytes"),
    ("500", "The server failed, which is a bug"),
    (
        "503",
        "The server is busy, is stopping, or took too long; Retry-After says when to try again",
    ),
];

/// A parameter that has another name now.
const FORMER: &str = "count";

/// Adds to every operation what any of them may answer.
fn add_shared_answers(document: &mut Value) {
    let Some(paths) = document["paths"].as_object_mut() else { return };
    let operations =
        paths.values_mut().filter_map(Value::as_object_mut).flat_map(|path| path.iter_mut());
    for (method, operation) in operations {
        let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
        for parameter in parameters.into_iter().flatten() {
            if parameter["name"] == FORMER {
                parameter["deprecated"] = true.into();
            }
        }
        let Some(answers) = operation["responses"].as_object_mut() else { continue };
        for (status, description) in SHARED_ANSWERS {
            answers.entry(status).or_insert_with(|| problem(description));
        }
        if method == "get" {
            let same = json!({ "description": "The answer is the one that the client has" });
            answers.entry("304").or_insert(same);
        }
        if let Some(busy) = answers.get_mut("503") {
            let seconds = json!({ "description": "Seconds", "schema": { "type": "integer" } });
            busy["headers"] = json!({ "Retry-After": seconds });
        }
    }
}

fn problem(description: &str) -> Value {
    let schema = json!({ "schema": { "$ref": "#/components/schemas/Problem" } });
    json!({ "description": description, "content": { "application/problem+json": schema } })
}

/// Puts a concept into all examples.
fn replace_example(value: &mut Value, example: &str) {
    match value {
        Value::String(text) if text == EXAMPLE => example.clone_into(text),
        Value::String(text) if text.starts_with(EXAMPLE) => {
            let quoted = format!("\"{}\"", example.replace('\\', "\\\\").replace('"', "\\\""));
            *text = text.replace(EXAMPLE, &quoted);
        }
        Value::Array(values) => {
            values.iter_mut().for_each(|value| replace_example(value, example));
        }
        Value::Object(fields) => {
            fields.values_mut().for_each(|value| replace_example(value, example));
        }
        _ => {}
    }
}
