use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use binder_answers::Preview;

use super::parameters::{Body, SharedState};
use super::preview::NewConcept;
use super::reply::{Answer, Wants};
use crate::Shared;
use crate::problem::{Problem, Refusals};
use crate::reload::Reloader;
use crate::writing::{Addition, Writer};

/// Adds a concept to the file of its model, and answers from the new model from then on. The codes
/// of all others keep their bits. Only if the server was started with `--allow-write`, only as JSON,
/// and not for pages from elsewhere.
#[utoipa::path(post, path = "/v1/concepts", request_body = NewConcept, tag = "service", responses(
    (status = 201, description = "The concept as it is now", body = Preview),
    (status = 403, description = "Not allowed, or not from here", body = Problem, content_type = "application/problem+json"),
    (status = 409, description = "The file cannot be changed", body = Problem, content_type = "application/problem+json"),
    Refusals,
))]
pub(crate) async fn add(
    State(shared): SharedState,
    headers: HeaderMap,
    wants: Wants,
    body: Body,
) -> Answer {
    let Some(writing) = &shared.writing else {
        return Err(Problem::forbidden("start the server with --allow-write to add concepts"));
    };
    check_sender(&headers)?;
    let new = NewConcept::read(&shared, body)?;
    let busy = Arc::clone(&writing.busy).lock_owned().await;
    let asked = Arc::clone(&shared);
    let planned = shared.lanes.long.run(move |stop| {
        let asking = asked.asking(stop.clone());
        let (seen, served) = (new.preview(&asking)?, asking.model(new.model.as_deref())?);
        let addition = Addition {
            model: served.name.clone(),
            name: new.name,
            // By their names: whoever asked may have said labels.
            parents: if new.expression.is_some() { Vec::new() } else { seen.parents.clone() },
            expression: new.expression,
            definition: new.definition.filter(|text| !text.trim().is_empty()),
        };
        Ok::<_, Problem>((seen, addition))
    });
    let (seen, addition) = planned.await??;
    let (writer, served) = (Arc::clone(&writing.writer), Arc::clone(&shared));
    // A task of its own, which goes on if the client goes away: what is written must be served.
    let done = tokio::spawn(async move {
        let _busy = busy;
        write_and_reload(writer, addition, served).await
    });
    done.await.map_err(|error| Problem::internal(error.to_string()))??;
    let mut response = wants.json(&seen)?;
    *response.status_mut() = StatusCode::CREATED;
    Ok(response)
}

async fn write_and_reload(
    writer: Writer,
    addition: Addition,
    shared: Arc<Shared>,
) -> Result<(), Problem> {
    let written = tokio::task::spawn_blocking(move || writer(&addition)).await;
    let written = written.map_err(|error| Problem::internal(error.to_string()))?;
    written.map_err(Problem::conflict)?;
    let reloaded = Reloader(shared).reload_when_free().await;
    reloaded.map_err(|error| Problem::internal(format!("it was added, but {error}")))
}

/// A page from elsewhere can make a browser send a form or a text, but no JSON without being asked
/// first, and it says where it is from.
fn check_sender(headers: &HeaderMap) -> Result<(), Problem> {
    let text = |name| headers.get(name).map(HeaderValue::to_str).and_then(Result::ok);
    let kind = text(header::CONTENT_TYPE).and_then(|kind| kind.split(';').next());
    if !kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json")) {
        return Err(Problem::bad_request("send JSON, with Content-Type: application/json"));
    }
    let Some(origin) = text(header::ORIGIN) else { return Ok(()) };
    let own = origin.split_once("://").map(|(_, host)| host);
    match own.is_some_and(|host| text(header::HOST) == Some(host)) {
        true => Ok(()),
        false => Err(Problem::forbidden("pages from elsewhere may not add concepts")),
    }
}
