//! `binder serve` and `binder mcp` as programs: signals, sockets, logs and standard streams.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A server, and the line that says where it is. It is killed when the test ends.
struct Served {
    child: Child,
    line: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_binder"))
            .arg("serve")
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        Self { child, line }
    }

    fn connect(&self) -> TcpStream {
        let rest = self.line.split("http://").nth(1).unwrap();
        TcpStream::connect(rest.split([' ', '/']).next().unwrap()).unwrap()
    }

    fn get(&self, path: &str) -> String {
        ask(self.connect(), path)
    }

    /// Sends a request whose body never comes, and waits until the server has its head.
    fn half_a_request(&self) -> TcpStream {
        let mut half = self.connect();
        let head = "POST /v1/is-a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{";
        half.write_all(head.as_bytes()).unwrap();
        while !self.get("/metrics").contains("binder_open_requests 2\n") {
            std::thread::yield_now();
        }
        half
    }

    fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    }

    fn ended(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    fn log(&mut self) -> String {
        let mut log = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        log
    }
}

fn ask(mut stream: impl Read + Write, path: &str) -> String {
    let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn sigterm_ends_within_the_grace_period_whatever_is_half_sent() {
    let mut server =
        Served::start(&["toy", "--addr", "127.0.0.1:0", "--grace", "1", "--timeout", "3600"]);
    let _half = server.half_a_request();
    let began = Instant::now();
    server.signal("-TERM");
    assert!(server.ended().success());
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    let log = server.log();
    assert!(log.contains("after the grace period") && !log.contains('\u{1b}'), "{log}");
}

#[test]
fn a_second_sigterm_ends_at_once() {
    let mut server =
        Served::start(&["toy", "--addr", "127.0.0.1:0", "--grace", "3600", "--timeout", "3600"]);
    let _half = server.half_a_request();
    server.signal("-TERM");
    let mut log = BufReader::new(server.child.stderr.take().unwrap());
    let mut note = String::new();
    while !note.contains("once more ends at once") {
        assert!(log.read_line(&mut note).unwrap() > 0, "{note}");
    }
    server.signal("-TERM");
    assert!(!server.ended().success());
}

#[test]
fn sighup_loads_the_models_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pets.tsv");
    let write = |pairs: &str| std::fs::write(&path, pairs).unwrap();
    write("cat\tpet\n");
    let server = Served::start(&[path.to_str().unwrap(), "--addr", "127.0.0.1:0"]);
    let is_a = |child: &str| server.get(&format!("/v1/is-a?child={child}&parent=pet"));
    assert!(is_a("cat").contains("true") && is_a("dog").contains("404"));
    write("dog\tpet\n");
    server.signal("-HUP");
    while !is_a("dog").contains("true") {
        std::thread::sleep(Duration::from_millis(10));
    }
    // What cannot be loaded changes nothing.
    write("dog\tpet\npet\tdog\n");
    server.signal("-HUP");
    while !server.get("/metrics").contains("binder_reloads_total{result=\"failed\"} 1") {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(is_a("dog").contains("true"));
}

#[test]
fn concepts_are_added_to_the_file_and_served() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("toy.safetensors");
    let (path, binder) = (model.to_str().unwrap(), env!("CARGO_BIN_EXE_binder"));
    let encoded = Command::new(binder).args(["encode", "toy", "-o", path]).output().unwrap();
    assert!(encoded.status.success());
    let server =
        Served::start(&[path, "wordnet-animals", "--allow-write", "--addr", "127.0.0.1:0"]);
    let post = |body: &str| {
        let head = "POST /v1/concepts HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
                    Content-Type: application/json\r\nContent-Length: ";
        let mut stream = server.connect();
        stream.write_all(format!("{head}{}\r\n\r\n{body}", body.len()).as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let added = post(r#"{"name":"labradoodle","parents":["dog"],"definition":"a curly dog"}"#);
    assert!(added.starts_with("HTTP/1.1 201"), "{added}");
    assert!(server.get("/v1/is-a?child=labradoodle&parent=animal").contains("true"));
    let asked =
        Command::new(binder).args(["query", path, "describe", "labradoodle"]).output().unwrap();
    assert!(String::from_utf8_lossy(&asked.stdout).contains("a curly dog"), "{asked:?}");
    // Data that were encoded for now have no file to add to.
    let refused = post(r#"{"name":"x","parents":["dog.n.01"],"model":"wordnet-animals"}"#);
    assert!(refused.starts_with("HTTP/1.1 409") && refused.contains("is data"), "{refused}");
}

#[test]
fn a_socket_is_made_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("binder.sock");
    let address = format!("unix:{}", path.display());
    // A socket that is left over is no obstacle.
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    let mut server = Served::start(&["toy", "--addr", &address]);
    assert!(server.line.contains(&address), "{}", server.line);
    let answer = ask(UnixStream::connect(&path).unwrap(), "/healthz");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    server.signal("-TERM");
    assert!(server.ended().success() && !path.exists());
}

/// What a server says that cannot start.
fn refusal(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_binder"));
    let output = command.args(["serve", "toy"]).args(arguments).output().unwrap();
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn what_is_wrong_with_the_options_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token");
    std::fs::write(&token, "short\n").unwrap();
    let token = token.to_str().unwrap();
    assert!(refusal(&["--token-file", token]).contains("shorter than 16 characters"));
    assert!(refusal(&["--token-file", "/nowhere/token"]).contains("/nowhere/token"));
    assert!(refusal(&["--addr", "localhost"]).contains("or unix:PATH"));
    let file = folder.path().join("file");
    std::fs::write(&file, "precious").unwrap();
    let there = refusal(&["--addr", &format!("unix:{}", file.display())]);
    assert!(there.contains("cannot listen"), "{there}");
    assert!(Path::new(&file).exists());
}

#[test]
fn mcp_speaks_on_standard_streams() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_binder"))
        .args(["mcp", "toy"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut lines = BufReader::new(output).lines();
    let mut call = |message: &str| {
        writeln!(input, "{message}").unwrap();
        let line = lines.next().unwrap().unwrap();
        serde_json::from_str::<serde_json::Value>(&line).unwrap()
    };
    let hello = call(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#,
    );
    assert_eq!(hello["result"]["serverInfo"]["name"], "binder");
    let tools = call(
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n\
         {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}",
    );
    let tools = tools["result"]["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 9, "place needs a placer");
    assert!(tools.iter().all(|tool| tool["inputSchema"]["type"] == "object"));
    let failed = call(
        r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"describe","arguments":{"concept":"nobody"}}}"#,
    );
    assert_eq!(failed["result"]["isError"], true);
    drop(input);
    assert!(child.wait().unwrap().success());
}
