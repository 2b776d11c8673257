use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Frame, SizeHint};

/// A long body that is sent in slices. After each, other connections of the same thread have their
/// turn: otherwise a short answer would wait until a socket is full.
#[derive(Debug)]
pub(crate) struct Slices {
    left: Bytes,
    rested: bool,
}

/// The number of bytes in a slice.
const SLICE: usize = 1 << 16;

impl Slices {
    pub(crate) fn body(whole: impl Into<Bytes>) -> Body {
        let left = whole.into();
        if left.len() <= SLICE {
            return Body::from(left);
        }
        Body::new(Self { left, rested: true })
    }
}

impl http_body::Body for Slices {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.left.is_empty() {
            return Poll::Ready(None);
        }
        if !self.rested {
            self.rested = true;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.rested = false;
        let length = self.left.len().min(SLICE);
        Poll::Ready(Some(Ok(Frame::data(self.left.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.left.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left.len() as u64)
    }
}
