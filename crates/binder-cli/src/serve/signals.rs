//! What ends the server, and what loads its models anew: signals, and only Ctrl-C where the system
//! has no others.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::terminal::note;

/// Completes when the server is asked to stop. The second time, the program ends at once.
pub(super) fn stopped() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    let mut requests = Requests::catch()?;
    Ok(async move {
        requests.next().await;
        note("stopping after the open requests; once more ends at once");
        tokio::spawn(async move {
            requests.next().await;
            std::process::exit(1);
        });
    })
}

/// Requests to stop: Ctrl-C and SIGTERM.
#[cfg(unix)]
struct Requests {
    interrupt: Signal,
    terminate: Signal,
}

#[cfg(unix)]
impl Requests {
    fn catch() -> io::Result<Self> {
        let interrupt = signal(SignalKind::interrupt())?;
        Ok(Self { interrupt, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// Requests to stop: Ctrl-C, and the console being closed.
#[cfg(windows)]
struct Requests {
    interrupt: tokio::signal::windows::CtrlC,
    close: tokio::signal::windows::CtrlClose,
}

#[cfg(windows)]
impl Requests {
    fn catch() -> io::Result<Self> {
        let interrupt = tokio::signal::windows::ctrl_c()?;
        Ok(Self { interrupt, close: tokio::signal::windows::ctrl_close()? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.close.recv() => {}
        }
    }
}

/// Requests to load the models anew: SIGHUP. Elsewhere there are none.
pub(super) struct Hangups {
    #[cfg(unix)]
    hangup: Signal,
}

impl Hangups {
    #[cfg(unix)]
    pub(super) fn catch() -> io::Result<Self> {
        Ok(Self { hangup: signal(SignalKind::hangup())? })
    }

    #[cfg(unix)]
    pub(super) async fn next(&mut self) -> Option<()> {
        self.hangup.recv().await
    }

    #[cfg(not(unix))]
    pub(super) fn catch() -> io::Result<Self> {
        Ok(Self {})
    }

    #[cfg(not(unix))]
    pub(super) async fn next(&mut self) -> Option<()> {
        None
    }
}
