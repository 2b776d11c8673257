//! Requests as bytes.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use serde_json::Value;

/// An answer, in parts.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// A header, without its name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }
}

/// Sends raw bytes and reads until the server closes the connection.
pub(crate) fn send(address: SocketAddr, request: &[u8]) -> Answer {
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

pub(crate) fn get(address: SocketAddr, path: &str) -> Answer {
    get_with(address, path, "")
}

/// With more headers, each with its line end.
pub(crate) fn get_with(address: SocketAddr, path: &str, headers: &str) -> Answer {
    ask(address, "GET", path, &format!("Host: localhost\r\n{headers}"))
}

/// With these headers alone, each with its line end.
pub(crate) fn ask(address: SocketAddr, method: &str, path: &str, headers: &str) -> Answer {
    let head = format!("{method} {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
    send(address, head.as_bytes())
}

pub(crate) fn post(address: SocketAddr, path: &str, body: &[u8]) -> Answer {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    send(address, &[head.as_bytes(), body].concat())
}

/// The text of a body that came in chunks.
pub(crate) fn unchunked(mut body: &[u8]) -> String {
    let mut whole = Vec::new();
    while let Some(end) = body.windows(2).position(|two| two == b"\r\n") {
        let size = usize::from_str_radix(&String::from_utf8_lossy(&body[..end]), 16).unwrap();
        whole.extend_from_slice(&body[end + 2..end + 2 + size]);
        body = &body[end + 4 + size..];
        if size == 0 {
            break;
        }
    }
    String::from_utf8(whole).unwrap()
}
