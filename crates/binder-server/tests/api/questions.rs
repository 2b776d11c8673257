//! Questions and their answers.

use binder_server::{Limits, Models, Server};
use serde_json::{Value, json};

use crate::common::start;
use crate::http::{ask, get, get_with, post, send};

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
    assert_eq!(get(server.address, "/readyz").body, b"ok\n");
    let metrics = get(server.address, "/metrics");
    assert!(
        String::from_utf8_lossy(&metrics.body)
            .contains("binder_requests_total{route=\"/v1/is-a\",status=\"200\"} 1")
    );
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
fn labels_are_understood_in_batches_too() {
    let server = start(Limits::default());
    let pairs =
        json!([["Dogs", "canine.n.02"], ["golden retriever", "dog"], ["zzz", "dog"], ["a", "b"]]);
    let body = json!({ "pairs": pairs }).to_string();
    assert_eq!(
        post(server.address, "/v1/is-a", body.as_bytes()).json(),
        json!({ "is_a": [true, true, null, null], "unknown": 2 })
    );
}

#[test]
fn cursors_lead_through_a_list() {
    let server = start(Limits::default());
    let whole = get(server.address, "/v1/hyponyms?name=dog.n.01&limit=1000").json();
    assert!(whole.get("next").is_none());
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let path = format!("/v1/hyponyms?name=dog.n.01&limit=50{cursor}");
        let page = get(server.address, &path).json();
        seen.extend(page["concepts"].as_array().unwrap().clone());
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(json!(seen), whole["concepts"]);
    for path in [
        "/v1/join?of=dog.n.01&limit=1",
        "/v1/concept?name=dog.n.01&limit=3",
        "/v1/complement?name=dog.n.01&limit=3",
        "/v1/expression?text=dog.n.01&limit=2",
    ] {
        assert!(get(server.address, path).json()["next"].is_string(), "{path}");
    }
    assert_eq!(get(server.address, "/v1/concept?name=dog.n.01&cursor=7").status, 400);
}

#[test]
fn long_lists_come_as_lines() {
    let server = start(Limits { page: 10, ..Limits::default() });
    let path = "/v1/hyponyms?name=animal.n.01";
    let lines = get_with(server.address, path, "Accept: application/x-ndjson\r\n");
    assert_eq!(lines.header("content-type"), Some("application/x-ndjson"));
    let text = crate::http::unchunked(&lines.body);
    let count = get(server.address, path).json()["count"].as_u64().unwrap();
    assert_eq!(text.lines().count() as u64, count);
    let first: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert!(first["concept"].is_string() && first["label"].is_string(), "{first}");
    let few = get_with(
        server.address,
        &format!("{path}&limit=3&offset=1"),
        "Accept: text/html;q=0.1, application/x-ndjson\r\n",
    );
    assert_eq!(crate::http::unchunked(&few.body).lines().count(), 3);
}

#[test]
fn many_concepts_are_asked_about_at_once() {
    let server = start(Limits { question: 3, ..Limits::default() });
    let ask = |path: &str, body: Value| post(server.address, path, body.to_string().as_bytes());
    let many = ask("/v1/hypernyms", json!({ "concepts": ["dog.n.01", "nobody"], "nearest": true }));
    let many = many.json();
    assert_eq!((&many["unknown"], &many["lists"][1]), (&json!(1), &Value::Null));
    assert!(many["lists"][0]["concepts"].as_array().unwrap().contains(&json!("canine.n.02")));
    let below = ask("/v1/hyponyms", json!({ "concepts": ["Dogs"], "limit": 5 })).json();
    assert_eq!(below["lists"][0]["concepts"].as_array().unwrap().len(), 5);
    assert_eq!(below["lists"][0]["next"], "after-5");
    assert_eq!(ask("/v1/hyponyms", json!({ "concepts": ["a", "b", "c", "d"] })).status, 413);
    let much = json!({ "concepts": ["dog.n.01", "dog.n.01"], "limit": 9_999 });
    assert_eq!(ask("/v1/hyponyms", much).status, 413);
    assert_eq!(ask("/v1/hyponyms", json!({})).status, 400);
}

#[test]
fn an_unseen_concept_is_placed() {
    let animals = binder::read::Builtin::WordnetAnimals.load();
    let model = binder::encode(&animals).unwrap();
    let mut settings = binder::place::PlaceParams::default();
    (settings.hidden, settings.trees) = (60, 5);
    let placer = binder::place::Placer::fit(model, &settings, &()).unwrap();
    let server = crate::common::run(move |listener, shutdown| {
        let index = crate::common::exact(&animals);
        let models = Models::new([("animals".to_owned(), index)]).unwrap();
        Server::new(models.with_placer(Some(placer))).run(listener, shutdown)
    });
    let ask = |body: Value| post(server.address, "/v1/place", body.to_string().as_bytes());
    let dog = json!({ "name": "labradoodle", "definition": "a dog, a cross of two breeds of dog" });
    let placed = ask(dog.clone()).json();
    assert_eq!(
        (placed["name"].as_str(), placed["places"].as_array().unwrap().len()),
        (Some("labradoodle"), 5)
    );
    let mut fewer = dog;
    fewer["limit"] = 2.into();
    assert_eq!(ask(fewer.clone()).json()["places"].as_array().unwrap().len(), 2);
    fewer["limit"] = 1_000_000.into();
    assert_eq!(ask(fewer).status, 400);
    assert_eq!(ask(json!({ "name": " " })).status, 400);
    assert_eq!(ask(json!([])).status, 400);
    let none = start(Limits::default());
    assert_eq!(post(none.address, "/v1/place", b"{\"name\": \"x\"}").status, 404);
}

#[test]
fn methods_are_answered_as_they_should_be() {
    let server = start(Limits::default());
    let host = "Host: localhost\r\n";
    let path = "/v1/concept?name=dog.n.01";
    let (whole, head) = (get(server.address, path), ask(server.address, "HEAD", path, host));
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), whole.header("content-length"));
    assert_eq!(head.header("etag"), whole.header("etag"));
    let options = ask(server.address, "OPTIONS", "/v1/is-a", host);
    assert_eq!((options.status, options.header("allow")), (204, Some("get,head,post")));
    let wrong = ask(server.address, "DELETE", "/v1/is-a", host);
    assert_eq!((wrong.status, wrong.header("allow")), (405, Some("get,head,post")));
    assert_eq!(wrong.json()["type"], "/problems/method");
}

#[test]
fn the_description_says_what_can_be_asked() {
    let server = start(Limits::default());
    let document = get(server.address, "/v1/openapi.json").json();
    let nearest = &document["paths"]["/v1/nearest"]["get"];
    let parameter = |name: &str| {
        let all = nearest["parameters"].as_array().unwrap();
        all.iter().find(|parameter| parameter["name"] == name).unwrap().clone()
    };
    assert!(parameter("by")["schema"].to_string().contains("wu-palmer"), "{nearest}");
    assert!(parameter("limit")["schema"].to_string().contains("10000"));
    assert_eq!(parameter("count")["deprecated"], true);
    for status in ["200", "304", "400", "401", "404", "409", "414", "421", "431", "500", "503"] {
        assert!(nearest["responses"][status].is_object(), "{status}: {nearest}");
    }
    // The example is a concept that there is.
    let example = parameter("name")["example"].as_str().unwrap().to_owned();
    assert_eq!(get(server.address, &format!("/v1/concept?name={example}")).status, 200);
    assert_eq!(
        get(server.address, "/v1/nearest?name=dog.n.01&limit=2").json(),
        get(server.address, "/v1/nearest?name=dog.n.01&count=2").json()
    );
    let found = get(server.address, "/v1/search?text=dog&limit=1").json();
    assert_eq!(found["concepts"][0]["label"], "dog, domestic dog, Canis familiaris");
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
