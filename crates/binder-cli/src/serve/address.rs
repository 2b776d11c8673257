use std::net::SocketAddr;
#[cfg(unix)]
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Context;
use binder_server::Listener;
use tokio::net::TcpListener;
#[cfg(unix)]
use tokio::net::UnixListener;

/// Where to listen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Address {
    Port(SocketAddr),
    /// A socket in the file system, where the system has such.
    #[cfg(unix)]
    Socket(PathBuf),
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("unix:") {
            #[cfg(unix)]
            Some("") => Err("give a path, as in unix:/run/binder.sock".to_owned()),
            #[cfg(unix)]
            Some(path) => Ok(Self::Socket(path.into())),
            #[cfg(not(unix))]
            Some(_) => {
                Err("this system has no such sockets; give an address with a port, such as \
                            127.0.0.1:8080"
                    .to_owned())
            }
            None => text.parse().map(Self::Port).map_err(|_| {
                "give an address with a port, such as 127.0.0.1:8080, or unix:PATH".to_owned()
            }),
        }
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Port(address) => address.fmt(f),
            #[cfg(unix)]
            Self::Socket(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

impl Address {
    pub(super) async fn listen(&self) -> anyhow::Result<Listener> {
        let failed = || format!("{self}: cannot listen");
        Ok(match self {
            Self::Port(address) => TcpListener::bind(address).await.with_context(failed)?.into(),
            #[cfg(unix)]
            Self::Socket(path) => {
                remove_left_over(path);
                UnixListener::bind(path).with_context(failed)?.into()
            }
        })
    }

    /// Removes what listening left in the file system.
    pub(super) fn clean_up(&self) {
        #[cfg(unix)]
        if let Self::Socket(path) = self {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Removes a socket that nobody listens on any more. Anything else stays, and listening fails.
#[cfg(unix)]
fn remove_left_over(path: &Path) {
    use std::os::unix::fs::FileTypeExt;
    use std::os::unix::net::UnixStream;
    let socket = path.symlink_metadata().is_ok_and(|about| about.file_type().is_socket());
    let refused = |error: std::io::Error| error.kind() == std::io::ErrorKind::ConnectionRefused;
    if socket && UnixStream::connect(path).is_err_and(refused) {
        let _ = std::fs::remove_file(path);
    }
}
