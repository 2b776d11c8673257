//! Load, time and the end.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use binder_server::Limits;
use serde_json::json;

use crate::common::start;
use crate::http::{get, get_with, post, send};

#[test]
fn what_takes_too_long_is_ended() {
    let server = start(Limits { time: Duration::from_millis(1), ..Limits::default() });
    // A body that never arrives completely runs into the timeout on every machine.
    let head = "POST /v1/is-a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 100\r\n\r\n{";
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
        "POST /v1/is-a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
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
fn a_half_sent_request_does_not_keep_the_server_from_ending() {
    let mut server = start(Limits { grace: Duration::from_millis(50), ..Limits::default() });
    let mut silent = TcpStream::connect(server.address).unwrap();
    let mut half = TcpStream::connect(server.address).unwrap();
    half.write_all(b"GET /healthz HTTP/1.1\r\nHost: loc").unwrap();
    assert_eq!(get(server.address, "/healthz").status, 200);
    let began = Instant::now();
    server.stop();
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    let mut rest = Vec::new();
    let _ = silent.read_to_end(&mut rest);
    let _ = half.read_to_end(&mut rest);
    assert!(rest.is_empty());
}

#[test]
fn connections_that_send_nothing_or_half_a_head_are_closed() {
    let server = start(Limits { head: Duration::from_millis(50), ..Limits::default() });
    for begin in ["", "P", "GET /healthz HTTP/1.1\r\nHost: loc", "PRI * HTTP/2.0\r\n"] {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.write_all(begin.as_bytes()).unwrap();
        let mut rest = Vec::new();
        // It ends, however it does.
        let _ = stream.read_to_end(&mut rest);
        assert!(!String::from_utf8_lossy(&rest).contains(" 200 "), "{begin:?}");
    }
    let metrics = get(server.address, "/metrics").body;
    assert!(String::from_utf8_lossy(&metrics).contains("binder_open_requests 1\n"));
}

#[test]
fn one_connection_too_many_is_told_so() {
    let server = start(Limits { connections: 1, ..Limits::default() });
    let mut first = TcpStream::connect(server.address).unwrap();
    first.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut begin = [0; 12];
    first.read_exact(&mut begin).unwrap();
    let second = get(server.address, "/healthz");
    assert_eq!((second.status, second.header("retry-after")), (503, Some("1")));
    assert_eq!(second.json()["type"], "/problems/busy");
}

#[test]
fn what_is_kept_is_sent_compressed_and_not_twice() {
    let server = start(Limits::default());
    for path in ["/v1/map", "/v1/names", "/v1/openapi.json", "/web/main.js", "/"] {
        let plain = get(server.address, path);
        let gzip = get_with(server.address, path, "Accept-Encoding: gzip\r\n");
        let zstd = get_with(server.address, path, "Accept-Encoding: gzip, br, zstd\r\n");
        assert_eq!(plain.header("content-encoding"), None, "{path}");
        assert_eq!(gzip.header("content-encoding"), Some("gzip"), "{path}");
        assert_eq!(zstd.header("content-encoding"), Some("zstd"), "{path}");
        assert_eq!(zstd::decode_all(&zstd.body[..]).unwrap(), plain.body, "{path}");
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(&gzip.body[..]).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked, plain.body, "{path}");
        assert_ne!(plain.header("etag"), gzip.header("etag"), "{path}");
        for tag in [plain.header("etag").unwrap(), gzip.header("etag").unwrap()] {
            for known in [tag.to_owned(), format!("W/{tag}"), format!("\"x\", {tag}, \"y\"")] {
                let heads = format!("If-None-Match: {known}\r\n");
                let again = get_with(server.address, path, &heads);
                assert_eq!((again.status, again.body.len()), (304, 0), "{path} {known}");
            }
        }
    }
}

#[test]
fn answers_have_tags_that_follow_from_the_question() {
    let server = start(Limits::default());
    let path = "/v1/hyponyms?name=animal.n.01&limit=2000";
    let answer = get(server.address, path);
    let tag = answer.header("etag").unwrap().to_owned();
    assert!(tag.starts_with("w/\""), "{tag}");
    let tag = tag.replace("w/", "W/");
    let with = |path: &str, heads: &str| get_with(server.address, path, heads).status;
    assert_eq!(with(path, &format!("If-None-Match: {tag}\r\n")), 304);
    assert_eq!(with(path, &format!("If-None-Match: \"a\", {}\r\n", &tag[2..])), 304);
    assert_eq!(with(path, "If-None-Match: *\r\n"), 304);
    assert_eq!(with("/v1/hyponyms?name=animal.n.01", &format!("If-None-Match: {tag}\r\n")), 200);
    assert_eq!(with("/v1/hyponyms?name=nobody", "If-None-Match: *\r\n"), 404);
    let gzip = get_with(server.address, path, "Accept-Encoding: gzip\r\n");
    assert_eq!(gzip.header("content-encoding"), Some("gzip"));
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(&gzip.body[..]).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, answer.body);
}

#[test]
fn gauges_come_back_to_zero_when_clients_go_away() {
    let server = start(Limits::default());
    for _ in 0..50 {
        let mut stream = TcpStream::connect(server.address).unwrap();
        let ask = "GET /v1/complement?name=dog.n.01 HTTP/1.1\r\nHost: localhost\r\n\r\n";
        stream.write_all(ask.as_bytes()).unwrap();
    }
    loop {
        let metrics = get(server.address, "/metrics").body;
        let metrics = String::from_utf8_lossy(&metrics);
        let zero = ["lane_waiting{lane=\"long\"}", "lane_running{lane=\"long\"}"];
        let idle = zero.iter().all(|gauge| metrics.contains(&format!("binder_{gauge} 0\n")));
        // The one that asks is open itself.
        if idle && metrics.contains("binder_open_requests 1\n") {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(get(server.address, "/v1/search?text=dog").status, 200);
}

#[test]
fn heads_that_are_too_large_are_problems() {
    let server = start(Limits::default());
    for length in [20_000, 70_000] {
        let answer = get(server.address, &format!("/v1/find?text={}", "x".repeat(length)));
        assert_eq!((answer.status, &answer.json()["status"]), (414, &json!(414)), "{length}");
    }
    for length in [40_000, 300_000] {
        let heads = format!("X-Long: {}\r\n", "x".repeat(length));
        let answer = get_with(server.address, "/healthz", &heads);
        assert_eq!((answer.status, &answer.json()["status"]), (431, &json!(431)), "{length}");
    }
    let many = get_with(server.address, "/healthz", &"A: b\r\n".repeat(200));
    assert_eq!((many.status, &many.json()["status"]), (431, &json!(431)));
    let answer = send(server.address, b"nonsense\r\n\r\n");
    assert_eq!(answer.json()["type"], "/problems/bad-request");
    assert_eq!(post(server.address, "/v1/place", b"{}").status, 400);
}
