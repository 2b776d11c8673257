//! A real server on a free port.

use std::net::SocketAddr;
use std::pin::Pin;
use std::thread::JoinHandle;

use binder::read::Builtin;
use binder::{Hierarchy, Index, Model};
use binder_server::{Limits, Models};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// A running server. When dropped, it finishes the open requests and stops.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

pub(crate) fn exact(hierarchy: &Hierarchy) -> Index {
    binder::encode(hierarchy).unwrap().into_index()
}

/// The animals and four pets with hostile names; or only the model that `BINDER_MODEL` names.
#[allow(dead_code, reason = "the tests of the page bring models of their own")]
pub(crate) fn start(limits: Limits) -> Running {
    let pets = [("pet", "<b>animal</b>"), ("cat & \"dog\"", "pet"), ("ünï/çødé ?#%", "pet")];
    let models = match std::env::var_os("BINDER_MODEL").map(std::path::PathBuf::from) {
        Some(path) => {
            vec![(
                path.file_stem().unwrap().to_string_lossy().into_owned(),
                Model::open(&path).unwrap().into_index(),
            )]
        }
        None => vec![
            ("animals".to_owned(), exact(&Builtin::WordnetAnimals.load())),
            ("pets".to_owned(), exact(&Hierarchy::from_pairs(pets).unwrap())),
        ],
    };
    start_with(models, limits)
}

/// Serves given models.
pub(crate) fn start_with(models: Vec<(String, Index)>, limits: Limits) -> Running {
    run(move |listener, shutdown| {
        binder_server::serve(Models::new(models).unwrap(), limits, listener, shutdown)
    })
}

/// Runs what serves a free port until it is told to stop.
pub(crate) fn run<F>(serve: impl FnOnce(TcpListener, Shutdown) -> F + Send + 'static) -> Running
where
    F: Future<Output = std::io::Result<()>>,
{
    let (stop, stopped) = oneshot::channel();
    let (send, receive) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            send.send(listener.local_addr().unwrap()).unwrap();
            serve(listener, Box::pin(async { _ = stopped.await })).await.unwrap();
        });
    });
    Running { address: receive.recv().unwrap(), stop: Some(stop), thread: Some(thread) }
}

/// Completes when the server is to stop.
pub(crate) type Shutdown = Pin<Box<dyn Future<Output = ()> + Send>>;

impl Running {
    /// Stops the server and waits until it has stopped.
    pub(crate) fn stop(&mut self) {
        self.stop.take().into_iter().for_each(|stop| _ = stop.send(()));
        self.thread.take().into_iter().for_each(|thread| thread.join().unwrap());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.stop();
        }
    }
}
