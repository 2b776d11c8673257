//! A connection as bytes, with what hyper leaves to others: bytes that were read ahead, an end to
//! clients that do not read, and a body for requests that hyper refuses by itself.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

use crate::problem::Problem;

/// What HTTP/2 begins with, also without TLS.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A connection.
#[derive(Debug)]
pub(crate) struct Stream<S> {
    inner: S,
    /// Bytes that were read to tell the protocol.
    ahead: Vec<u8>,
    /// How long the client may leave an answer unread.
    patience: Duration,
    /// Runs while a write waits.
    deadline: Pin<Box<Sleep>>,
    waits: bool,
    /// What is written in place of an answer without a body, and how much of it was.
    instead: Option<(Vec<u8>, usize)>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Stream<S> {
    pub(crate) fn new(inner: S, patience: Duration) -> Self {
        let deadline = Box::pin(tokio::time::sleep(patience));
        Self { inner, ahead: Vec::new(), patience, deadline, waits: false, instead: None }
    }

    /// Reads the first head, and tells whether the client speaks HTTP/2. Fails if it closes before
    /// that. hyper takes several kilobytes for a connection, so it gets only those that ask
    /// something.
    pub(crate) async fn is_http2(&mut self) -> io::Result<bool> {
        let mut buffer = [0; 512];
        loop {
            let count = self.inner.read(&mut buffer).await?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.ahead.extend_from_slice(&buffer[..count]);
            if self.ahead.starts_with(PREFACE) {
                return Ok(true);
            }
            if !PREFACE.starts_with(&self.ahead) && is_enough(&self.ahead) {
                return Ok(false);
            }
        }
    }

    /// Ends the connection if a write has waited for too long.
    fn write_in_time<T>(
        &mut self,
        context: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut S>, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if let Poll::Ready(written) = write(Pin::new(&mut self.inner), context) {
            self.waits = false;
            return Poll::Ready(written);
        }
        if !self.waits {
            self.waits = true;
            self.deadline.as_mut().reset(Instant::now() + self.patience);
        }
        ready!(self.deadline.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    /// Whether something else is written in place of these bytes.
    fn replaces(&mut self, bytes: &[u8]) -> bool {
        if self.instead.is_none() {
            self.instead = with_body(bytes).map(|bytes| (bytes, 0));
        }
        self.instead.is_some()
    }

    /// Writes all of `instead`.
    fn write_instead(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some((bytes, done)) = self.instead.take() {
            let written =
                self.write_in_time(context, |inner, cx| inner.poll_write(cx, &bytes[done..]));
            match written {
                Poll::Ready(Ok(more)) if done + more >= bytes.len() => break,
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Ok(more)) => self.instead = Some((bytes, done + more)),
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => {
                    self.instead = Some((bytes, done));
                    return Poll::Pending;
                }
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// Whether hyper can answer: the head is complete, is no head at all, or is a long one.
fn is_enough(ahead: &[u8]) -> bool {
    let ends = |end: &[u8]| ahead.windows(end.len()).any(|part| part == end);
    ends(b"\n\r\n") || ends(b"\n\n") || !ahead[0].is_ascii_uppercase() || ahead.len() > LONG
}

/// Heads are seldom longer.
const LONG: usize = 4096;

impl<S: AsyncRead + Unpin> AsyncRead for Stream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.ahead.is_empty() {
            return Pin::new(&mut self.inner).poll_read(context, buffer);
        }
        let length = self.ahead.len().min(buffer.remaining());
        buffer.put_slice(&self.ahead[..length]);
        self.ahead.drain(..length);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Stream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.replaces(bytes) {
            ready!(self.write_instead(context))?;
            return Poll::Ready(Ok(bytes.len()));
        }
        self.write_in_time(context, |inner, context| inner.poll_write(context, bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let first = slices.iter().find(|slice| !slice.is_empty());
        if first.is_some_and(|first| self.replaces(first)) {
            ready!(self.write_instead(context))?;
            return Poll::Ready(Ok(slices.iter().map(|slice| slice.len()).sum()));
        }
        self.write_in_time(context, |inner, context| inner.poll_write_vectored(context, slices))
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.write_in_time(context, AsyncWrite::poll_flush)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.write_in_time(context, AsyncWrite::poll_shutdown)
    }
}

/// hyper answers a request that it cannot read by itself, without a body. This is the answer with
/// one. (Every other answer with such a status has a body, so it is left alone.)
fn with_body(answer: &[u8]) -> Option<Vec<u8>> {
    let status = answer.strip_prefix(b"HTTP/1.1 4")?.get(..2)?;
    let empty = b"\r\ncontent-length: 0\r\n";
    if !answer.windows(empty.len()).any(|part| part == empty) {
        return None;
    }
    Some(match status {
        b"00" => Problem::bad_request("this is not a request as HTTP/1.1 has it"),
        b"14" => Problem::address_too_long(),
        b"31" => Problem::headers_too_large(),
        _ => return None,
    })
    .map(|problem| problem.to_bytes())
}

#[cfg(test)]
mod tests {
    use super::with_body;

    #[test]
    fn only_answers_of_hyper_itself_get_a_body() {
        let refusal = |status: &str| {
            let head =
                format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            with_body(head.as_bytes()).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        };
        let long = refusal("414 URI Too Long").unwrap_or_default();
        assert!(long.starts_with("HTTP/1.1 414 ") && long.contains("application/problem+json"));
        assert!(refusal("431 Request Header Fields Too Large").is_some());
        assert!(refusal("200 OK").is_none() && refusal("404 Not Found").is_none());
        assert!(with_body(b"HTTP/1.1 414 x\r\ncontent-length: 7\r\n\r\n").is_none());
    }
}
