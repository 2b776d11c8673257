//! The API, over real connections.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use binder_server::Limits;
use common::start;
use serde_json::{Value, json};

/// An answer, in parts.
struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }
}

/// Sends raw bytes and reads until the server closes the connection.
fn send(address: SocketAddr, request: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    // The server may answer and close before it has read everything.
    let _ = stream.write_all(request);
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all);
    let split = all.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(all.len());
    let head = String::from_utf8_lossy(&all[..split]).to_lowercase();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Answer { status, head, body: all.get(split + 4..).unwrap_or_default().to_vec() }
}

fn get(address: SocketAddr, path: &str) -> Answer {
    send(address, format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").as_bytes())
}

fn post(address: SocketAddr, path: &str, body: &[u8]) -> Answer {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    send(address, &[head.as_bytes(), body].concat())
}

#[test]
fn every_question_has_its_route() {
    let server = start(Limits::default());
    let ask = |path: &str| {
        let answer = get(server.address, path);
        assert_eq!(answer.status, 200, "{path}: {}", String::from_utf8_lossy(&answer.body));
        answer.json()
    };
    assert_eq!(ask("/v1/is-a?child=dog.n.01&parent=canine.n.02")["is_a"], true);
    assert_eq!(ask("/v1/concept?name=dog.n.01")["hyponyms"], 189);
    let page = ask("/v1/hyponyms?name=dog.n.01&offset=180&limit=100");
    assert_eq!(
        (page["count"].as_u64(), page["concepts"].as_array().unwrap().len()),
        (Some(189), 9)
    );
    assert_eq!(
        ask("/v1/hypernyms?name=canine.n.02&nearest=true")["concepts"],
        json!(["carnivore.n.01"])
    );
    assert_eq!(ask("/v1/meet?of=dog.n.01&of=pup.n.01")["below"], json!(["puppy.n.01"]));
    assert_eq!(ask("/v1/join?of=dog.n.01&of=wolf.n.01")["nearest_above"], json!(["canine.n.02"]));
    assert!(ask("/v1/complement?name=dog.n.01&limit=1")["disjoint_count"].as_u64().unwrap() > 3000);
    assert_eq!(ask("/v1/expression?text=dog.n.01%26pup.n.01")["count"], 1);
    assert_eq!(
        ask("/v1/nearest?name=dog.n.01&by=path&count=3")["concepts"].as_array().unwrap().len(),
        3
    );
    assert_eq!(
        ask("/v1/explain?child=dog.n.01&parent=canine.n.02")["chain"],
        json!(["dog.n.01", "canine.n.02"])
    );
    assert_eq!(ask("/v1/search?text=retreiver")["concepts"][0]["concept"], "retriever.n.01");
    let dogs = ask("/v1/find?text=Dogs");
    assert_eq!((&dogs["concept"], &dogs["by"]), (&json!("dog.n.01"), &json!("label")));
    assert_eq!(ask("/v1/hyponyms?name=Dogs&nearest=true")["concept"], "dog.n.01");
    assert_eq!(ask("/v1/models")[1]["name"], "pets");
    assert_eq!(ask("/v1/names?model=pets").as_array().unwrap().len(), 4);
    let drawing = ask("/v1/graph?name=dog.n.01&width=600");
    assert!(drawing["nodes"].as_array().unwrap().iter().any(|node| node["role"] == "centre"));
    assert_eq!(get(server.address, "/v1/map?model=pets").body.len(), 4 * (3 + 3 + 3 * 4));
    assert_eq!(get(server.address, "/healthz").body, b"ok\n");
    let metrics = get(server.address, "/metrics");
    assert!(
        String::from_utf8_lossy(&metrics.body)
            .contains("binder_requests_total{route=\"/v1/is-a\",status=\"200\"} 1")
    );
}

#[test]
fn concepts_are_summed_up_by_name_or_number() {
    let server = start(Limits { question: 3, ..Limits::default() });
    let ask = |wanted: Value| {
        let body = serde_json::to_vec(&json!({ "concepts": wanted })).unwrap();
        post(server.address, "/v1/summaries", &body)
    };
    let dog = ask(json!(["dog.n.01"])).json()["concepts"][0].clone();
    assert_eq!(dog["label"], "dog, domestic dog, Canis familiaris");
    assert_eq!((&dog["hyponyms"], dog["path"].as_array().unwrap().len()), (&json!(189), 2));
    let both = ask(json!([dog["id"], "nobody", 99_999])).json();
    assert_eq!(both["concepts"], json!([dog, null, null]));
    assert_eq!(ask(json!([1, 2, 3, 4])).status, 400);
    assert_eq!(ask(json!("dog")).status, 400);
}

#[test]
fn a_new_concept_is_previewed_and_not_added() {
    let server = start(Limits::default());
    let ask = |new: Value| post(server.address, "/v1/preview", &serde_json::to_vec(&new).unwrap());
    let seen = ask(json!({ "name": "labradoodle", "parents": ["poodle.n.01", "retriever"] }));
    let seen = seen.json();
    assert_eq!(seen["parents"], json!(["poodle.n.01", "retriever.n.01"]));
    assert_eq!(seen["children_count"], 0);
    let code = seen["code"].as_str().unwrap();
    for parent in ["poodle.n.01", "retriever.n.01"] {
        let path = format!("/v1/concept?name={parent}");
        let parent = get(server.address, &path).json()["code"].as_str().unwrap().to_owned();
        assert!(parent.chars().zip(code.chars()).all(|(above, new)| above <= new), "{path}");
    }
    let both = ask(json!({ "name": "young dog", "expression": "dog.n.01 & pup.n.01" }));
    assert_eq!(both.json()["children"], json!(["puppy.n.01"]));
    assert_eq!(get(server.address, "/v1/concept?name=labradoodle").status, 404);
    for (wrong, status) in [
        (json!({ "name": "dog.n.01", "parents": ["cat.n.01"] }), 400),
        (json!({ "name": "x", "parents": ["nobody at all"] }), 404),
        (json!({ "name": "x", "parents": [] }), 400),
        (json!({ "name": " ", "parents": ["cat.n.01"] }), 400),
        (json!({ "name": "x", "parents": ["cat.n.01"], "expression": "dog.n.01" }), 400),
        (json!({ "name": "x", "expression": "dog.n.01 &" }), 400),
        (json!({}), 400),
    ] {
        assert_eq!(ask(wrong.clone()).status, status, "{wrong}");
    }
}

#[test]
fn a_drawing_folds_filters_and_pages() {
    let server = start(Limits::default());
    let draw = |more: &str| {
        get(server.address, &format!("/v1/graph?name=dog.n.01&width=700{more}")).json()
    };
    let roles = |drawing: &Value, role: &str| {
        drawing["nodes"].as_array().unwrap().iter().filter(|node| node["role"] == role).count()
    };
    let (whole, folded) = (draw(""), draw("&fold=true&children=5&offset=15"));
    assert_eq!((roles(&whole, "below"), roles(&whole, "fold")), (18, 0));
    assert_eq!((roles(&folded, "below"), roles(&folded, "fold")), (3, 1));
    assert_eq!((&folded["children"], &folded["left_out"]), (&json!(18), &json!(15)));
    // Every box but the root has a line to it.
    assert_eq!(whole["edges"].as_array().unwrap().len(), whole["nodes"].as_array().unwrap().len());
    let toys = draw("&filter=TOY");
    assert_eq!((&toys["matching"], roles(&toys, "below")), (&json!(1), 1));
}

#[test]
fn hostile_names_go_through() {
    let server = start(Limits::default());
    let ask = |path: &str| get(server.address, path).json();
    let cat = ask("/v1/is-a?model=pets&child=cat%20%26%20%22dog%22&parent=%3Cb%3Eanimal%3C/b%3E");
    assert_eq!((&cat["is_a"], &cat["parent"]), (&json!(true), &json!("<b>animal</b>")));
    assert_eq!(
        ask("/v1/expression?model=pets&text=%22cat%20%26%20%5C%22dog%5C%22%22")["named"],
        json!(["cat & \"dog\""])
    );
    assert_eq!(ask("/v1/concept?model=pets&name=%C3%BCn%C3%AF")["concept"], "ünï/çødé ?#%");
}

#[test]
fn a_batch_answers_every_pair() {
    let server = start(Limits { batch: 3, ..Limits::default() });
    let ask = |body: Value| post(server.address, "/v1/is-a", body.to_string().as_bytes());
    let pairs =
        json!([["dog.n.01", "canine.n.02"], ["dog.n.01", "nobody"], ["canine.n.02", "dog.n.01"]]);
    assert_eq!(
        ask(json!({ "pairs": pairs })).json(),
        json!({ "is_a": [true, null, false], "unknown": 1 })
    );
    let four = json!([["a", "b"], ["a", "b"], ["a", "b"], ["a", "b"]]);
    let many = ask(json!({ "pairs": four }));
    assert_eq!(many.status, 413);
    assert!(many.json()["detail"].as_str().unwrap().contains("at most 3 are allowed"));
}

#[test]
fn what_is_wrong_is_a_problem_document() {
    let server = start(Limits { body: 1000, page: 50, question: 100, ..Limits::default() });
    let long = "x".repeat(101);
    for (path, status) in [
        ("/v1/is-a", 400),
        ("/v1/is-a?child=dog.n.01", 400),
        ("/v1/is-a?child=dgo.n.01&parent=dog.n.01", 404),
        ("/v1/is-a?child=retr&parent=dog.n.01&model=nobody", 404),
        ("/v1/concept?name=a", 409),
        ("/v1/concept?name=dog.n.01&limit=51", 400),
        ("/v1/concept?name=dog.n.01&limit=-1", 400),
        ("/v1/concept?name=dog.n.01&offset=99999999999999999999", 400),
        (&format!("/v1/concept?name={long}"), 400),
        (&format!("/v1/expression?text={long}"), 400),
        ("/v1/expression?text=dog.n.01%26", 400),
        ("/v1/meet", 400),
        ("/v1/nearest?name=dog.n.01&by=feeling", 400),
        ("/v1/graph?name=dog.n.01&width=1", 400),
        ("/v1/hyponyms?name=%FF%FE", 404),
        ("/nowhere", 404),
        ("/web/../Cargo.toml", 404),
        ("/web/nothing.js", 404),
    ] {
        let answer = get(server.address, path);
        assert_eq!(answer.status, status, "{path}: {}", String::from_utf8_lossy(&answer.body));
        assert!(
            answer.head.contains("content-type: application/problem+json"),
            "{path}: {}",
            answer.head
        );
        assert_eq!(answer.json()["status"], status, "{path}");
        assert!(answer.head.contains("x-request-id: "), "{path}");
    }
    let suggested = get(server.address, "/v1/is-a?child=dgo.n.01&parent=dog.n.01").json();
    assert_eq!(suggested["suggestions"][0], "dog.n.01");
    assert_eq!(post(server.address, "/v1/is-a", &[b'['; 900]).status, 400);
    assert_eq!(post(server.address, "/v1/is-a", &[b' '; 1001]).status, 413);
    assert_eq!(post(server.address, "/v1/concept", b"").status, 405);
    assert_eq!(send(server.address, b"nonsense\r\n\r\n").status, 400);
}

#[test]
fn what_takes_too_long_is_ended() {
    let server = start(Limits { time: Duration::from_millis(1), ..Limits::default() });
    // A body that never arrives completely runs into the timeout on every machine.
    let head =
        "POST /v1/is-a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 100\r\n\r\n{";
    let answer = send(server.address, head.as_bytes());
    assert_eq!((answer.status, &answer.json()["type"]), (503, &json!("/problems/too-slow")));
}

#[test]
fn a_request_that_has_begun_is_answered_at_shutdown() {
    let mut server = start(Limits::default());
    let address = server.address;
    let mut stream = TcpStream::connect(address).unwrap();
    let body = json!({ "pairs": [["dog.n.01", "canine.n.02"]] }).to_string();
    let head = format!(
        "POST /v1/is-a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    // The server has the head once it has counted the request as open.
    while !String::from_utf8_lossy(&get(address, "/metrics").body)
        .contains("binder_open_requests 2")
    {
        std::thread::yield_now();
    }
    let ended = std::thread::spawn(move || server.stop());
    stream.write_all(body.as_bytes()).unwrap();
    let mut all = String::new();
    stream.read_to_string(&mut all).unwrap();
    assert!(all.starts_with("HTTP/1.1 200") && all.contains("[true]"), "{all}");
    ended.join().unwrap();
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn the_page_is_served_whole_and_only_from_here() {
    let server = start(Limits::default());
    let index = get(server.address, "/");
    assert!(
        index.status == 200 && index.head.contains("content-security-policy: default-src 'self'")
    );
    let text = String::from_utf8(index.body).unwrap();
    for file in ["style.css", "main.js", "icon.svg"] {
        assert!(text.contains(file));
        let asset = get(server.address, &format!("/web/{file}"));
        assert!(
            asset.status == 200 && !asset.body.is_empty() && asset.head.contains("etag: "),
            "{file}"
        );
    }
    assert_eq!(get(server.address, "/api").status, 200);
    let document = get(server.address, "/v1/openapi.json").json();
    assert!(document["paths"].as_object().unwrap().len() >= 17, "{document}");
}
