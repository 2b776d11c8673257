//! Who may ask, and where.

use std::sync::mpsc;

use binder::Hierarchy;
use binder_server::{Limits, Listener, Models, Server, Tokens};
use serde_json::json;
use tokio::net::TcpListener;

use crate::common::{Running, exact, run};
use crate::http::{ask, get, get_with, send};

/// A model of one pair.
fn pets(child: &str) -> Models {
    let hierarchy = Hierarchy::from_pairs([(child, "pet")]).unwrap();
    Models::new([("pets".to_owned(), exact(&hierarchy))]).unwrap()
}

/// A server that was changed before it starts.
fn start(change: impl FnOnce(Server) -> Server + Send + 'static) -> Running {
    run(move |listener, shutdown| async move {
        change(Server::new(pets("cat"))).run(listener, shutdown).await
    })
}

#[test]
fn only_known_hosts_are_answered() {
    let server = start(|server| server.hosts(["codes.example".to_owned()]));
    let status = |host: &str| ask(server.address, "GET", "/v1/names", &format!("Host: {host}\r\n"));
    for host in ["localhost", "localhost:8080", "127.0.0.1", "[::1]:80", "Codes.example:443"] {
        assert_eq!(status(host).status, 200, "{host}");
    }
    for host in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1"] {
        let answer = status(host);
        assert_eq!((answer.status, &answer.json()["status"]), (421, &json!(421)), "{host}");
        assert!(!String::from_utf8_lossy(&answer.body).contains("cat"));
    }
    assert_eq!(ask(server.address, "GET", "/", "").status, 400);
    let old = send(server.address, b"GET /healthz HTTP/1.0\r\n\r\n");
    assert_eq!(old.status, 200);
    let proxied = ask(server.address, "GET", "http://evil.example/v1/names", "Host: localhost\r\n");
    assert_eq!(proxied.status, 421);
}

#[test]
fn a_token_is_asked_for() {
    let token = "0123456789abcdef";
    let server = start(move |server| server.tokens(Tokens::parse(token).unwrap()));
    let path = "/v1/is-a?child=cat&parent=pet";
    let without = get(server.address, path);
    assert_eq!((without.status, without.header("www-authenticate")), (401, Some("bearer")));
    let with = |heads: &str| get_with(server.address, path, heads).status;
    assert_eq!(with(&format!("Authorization: Bearer {token}\r\n")), 200);
    assert_eq!(with(&format!("authorization: bearer {token}\r\n")), 200);
    assert_eq!(with(&format!("Cookie: a=b; binder-token={token}\r\n")), 200);
    assert_eq!(with("Authorization: Bearer 0123456789abcdee\r\n"), 401);
    assert_eq!(with(&format!("Authorization: Basic {token}\r\n")), 401);
    assert_eq!(get(server.address, "/").status, 401);
    assert_eq!(get(server.address, "/metrics").status, 401);
    assert_eq!(get(server.address, "/healthz").status, 200);
    let opened = get(server.address, &format!("/?a=b&token={token}"));
    assert_eq!((opened.status, opened.header("location")), (303, Some("/?a=b")));
    let cookie = opened.header("set-cookie").unwrap();
    assert!(cookie.contains(token) && cookie.contains("httponly; samesite=strict"), "{cookie}");
}

#[test]
fn pages_from_elsewhere_read_nothing_unless_allowed() {
    let server = start(|server| server.origins(["https://codes.example".to_owned()]));
    let from = |origin: &str| {
        let heads = format!("Origin: {origin}\r\n");
        let answer = get_with(server.address, "/v1/names", &heads);
        answer.header("access-control-allow-origin").map(str::to_owned)
    };
    assert_eq!(from("https://codes.example").as_deref(), Some("https://codes.example"));
    assert_eq!(from("https://evil.example"), None);
    let heads = "Host: localhost\r\nOrigin: https://codes.example\r\n\
                 Access-Control-Request-Method: POST\r\n";
    let asked = ask(server.address, "OPTIONS", "/v1/is-a", heads);
    assert_eq!(asked.status, 200);
    assert!(asked.header("access-control-allow-methods").unwrap().contains("post"));
    let closed = start(|server| server);
    let answer = get_with(closed.address, "/v1/names", "Origin: https://codes.example\r\n");
    assert_eq!(answer.header("access-control-allow-origin"), None);
}

#[cfg(unix)]
#[test]
fn a_socket_of_the_file_system_will_do() {
    use std::io::{Read, Write};
    use std::os::unix::net::UnixStream;

    use tokio::net::UnixListener;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("binder.sock");
    let place = path.clone();
    let _server = run(move |_, shutdown| async move {
        let listener = UnixListener::bind(place).unwrap();
        Server::new(pets("cat")).run(listener, shutdown).await
    });
    let mut stream = loop {
        // The test's own listener is announced before this one is there.
        match UnixStream::connect(&path) {
            Ok(stream) => break stream,
            Err(_) => std::thread::yield_now(),
        }
    };
    let ask = b"GET /v1/is-a?child=cat&parent=pet HTTP/1.1\r\nHost: any.example\r\n\
                Connection: close\r\n\r\n";
    stream.write_all(ask).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"is_a\":true"), "{answer}");
}

#[test]
fn metrics_may_have_an_address_of_their_own() {
    let (send, receive) = mpsc::channel();
    let server = run(move |listener, shutdown| async move {
        let apart = TcpListener::bind("127.0.0.1:0").await.unwrap();
        send.send(apart.local_addr().unwrap()).unwrap();
        let apart: Listener = apart.into();
        Server::new(pets("cat")).metrics_at(apart).run(listener, shutdown).await
    });
    let apart = receive.recv().unwrap();
    assert_eq!(get(server.address, "/metrics").status, 404);
    let metrics = get(apart, "/metrics");
    assert!(String::from_utf8_lossy(&metrics.body).contains("binder_requests_total"));
    assert_eq!(get(apart, "/readyz").status, 200);
    assert_eq!(get(apart, "/v1/names").status, 404);
    assert_eq!(ask(apart, "GET", "/metrics", "Host: evil.example\r\n").status, 421);
}

#[test]
fn models_are_loaded_anew_when_asked_from_here() {
    let server = start(|server| server.reload_with(|| Ok(pets("dog")), true));
    let is_a =
        |child: &str| get(server.address, &format!("/v1/is-a?child={child}&parent=pet")).status;
    assert_eq!((is_a("cat"), is_a("dog")), (200, 404));
    let post = |heads: &str| {
        ask(server.address, "POST", "/v1/admin/reload", &format!("Host: localhost\r\n{heads}"))
    };
    assert_eq!(post("Origin: http://localhost\r\n").status, 403);
    assert_eq!(post("X-Forwarded-For: 127.0.0.1\r\n").status, 403);
    assert_eq!(is_a("dog"), 404);
    assert_eq!(post("").json(), json!({ "models": ["pets"] }));
    assert_eq!((is_a("cat"), is_a("dog")), (404, 200));
}

#[test]
fn models_that_cannot_be_loaded_change_nothing() {
    let failing = start(|server| server.reload_with(|| Err("it is gone".to_owned()), true));
    let failed = ask(failing.address, "POST", "/v1/admin/reload", "Host: localhost\r\n");
    assert_eq!(failed.status, 500);
    assert!(failed.json()["detail"].as_str().unwrap().contains("it is gone"));
    assert_eq!(get(failing.address, "/v1/is-a?child=cat&parent=pet").status, 200);
    let closed = start(|server| server.reload_with(|| Ok(pets("dog")), false));
    let refused = ask(closed.address, "POST", "/v1/admin/reload", "Host: localhost\r\n");
    assert_eq!(refused.status, 403);
}

#[test]
fn concepts_are_added_only_where_that_is_allowed() {
    let post = |server: &Running, heads: &str, body: &str| {
        let heads = format!("Host: localhost\r\nContent-Length: {}\r\n{heads}", body.len());
        let request =
            format!("POST /v1/concepts HTTP/1.1\r\nConnection: close\r\n{heads}\r\n{body}");
        send(server.address, request.as_bytes())
    };
    let (json, kitten) =
        ("Content-Type: application/json\r\n", r#"{"name":"kitten","parents":["cat"]}"#);
    let closed = start(|server| server.reload_with(|| Ok(pets("dog")), true));
    assert_eq!(post(&closed, json, kitten).status, 403);

    let (sent, written) = mpsc::channel();
    let sent = std::sync::Mutex::new(sent);
    let open = start(move |server| {
        let write = move |new: &binder_server::Addition| match new.name.as_str() {
            "kitten" => sent.lock().unwrap().send(new.clone()).map_err(|error| error.to_string()),
            _ => Err("the disk is full".to_owned()),
        };
        server.reload_with(|| Ok(pets("kitten")), false).write_with(write)
    });
    assert_eq!(get(open.address, "/v1/models").json()[0]["writes"], true);
    // No page from elsewhere can do it: not with a form, and not without saying where it is from.
    assert_eq!(post(&open, "Content-Type: text/plain\r\n", kitten).status, 400);
    assert_eq!(post(&open, &format!("{json}Origin: http://evil.example\r\n"), kitten).status, 403);
    // What cannot be is refused before anything is written.
    assert_eq!(post(&open, json, r#"{"name":"cat","parents":["pet"]}"#).status, 400);
    assert_eq!(post(&open, json, r#"{"name":"kitten","parents":["nobody"]}"#).status, 404);
    assert!(written.try_recv().is_err());
    let failed = post(&open, json, r#"{"name":"tom","parents":["cat"]}"#);
    assert_eq!((failed.status, &failed.json()["detail"]), (409, &json!("the disk is full")));

    let added = post(&open, &format!("{json}Origin: http://localhost\r\n"), kitten);
    assert_eq!((added.status, &added.json()["parents"]), (201, &json!(["cat"])));
    let addition = written.recv().unwrap();
    assert_eq!((&*addition.model, addition.parents), ("pets", vec!["cat".to_owned()]));
    assert_eq!(get(open.address, "/v1/is-a?child=kitten&parent=pet").status, 200);
}

#[test]
fn http2_without_tls_is_for_proxies() {
    let server = start(|server| server.limits(Limits::default()));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let uri = format!("http://{}/v1/is-a?child=cat&parent=pet", server.address);
    let (status, version) = runtime.block_on(async {
        use hyper_util::client::legacy::Client;
        use hyper_util::rt::TokioExecutor;
        let client =
            Client::builder(TokioExecutor::new()).http2_only(true).build_http::<axum::body::Body>();
        let answer = client.get(uri.parse().unwrap()).await.unwrap();
        (answer.status(), answer.version())
    });
    assert_eq!((status.as_u16(), version), (200, http::Version::HTTP_2));
}
