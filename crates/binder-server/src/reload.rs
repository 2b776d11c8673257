//! Models that are loaded anew while requests are answered.

use std::fmt;
use std::sync::Arc;

use tokio::sync::MutexGuard;

use crate::{Models, Shared};

/// Loads the models again, or says why that failed.
pub(crate) type Loader = Arc<dyn Fn() -> Result<Models, String> + Send + Sync>;

/// How models are loaded anew.
pub(crate) struct Reloading {
    pub(crate) loader: Loader,
    /// Whether a request may ask for it.
    pub(crate) over_http: bool,
    /// Held while models are loaded.
    pub(crate) busy: tokio::sync::Mutex<()>,
}

impl fmt::Debug for Reloading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reloading").field("over_http", &self.over_http).finish_non_exhaustive()
    }
}

/// Why models were not loaded anew. Those from before go on being served.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReloadError {
    /// The server was not told how.
    #[error("this server cannot load its models again")]
    Never,
    /// They are being loaded already.
    #[error("the models are being loaded already")]
    Busy,
    /// They cannot be loaded.
    #[error("{0}")]
    Failed(String),
}

/// Makes a server load its models anew.
#[derive(Debug, Clone)]
pub struct Reloader(pub(crate) Arc<Shared>);

impl Reloader {
    /// Loads the models anew. Requests that have begun are answered from the old ones, which are
    /// kept if the new ones cannot be loaded.
    ///
    /// # Errors
    ///
    /// When they cannot be loaded, or are being loaded.
    pub async fn reload(&self) -> Result<(), ReloadError> {
        let reloading = self.0.reloading.as_ref().ok_or(ReloadError::Never)?;
        let busy = reloading.busy.try_lock().map_err(|_| ReloadError::Busy)?;
        self.load(reloading, busy).await
    }

    /// The same, but where models are being loaded already, they are loaded once more after that.
    pub(crate) async fn reload_when_free(&self) -> Result<(), ReloadError> {
        let reloading = self.0.reloading.as_ref().ok_or(ReloadError::Never)?;
        self.load(reloading, reloading.busy.lock().await).await
    }

    async fn load(
        &self,
        reloading: &Reloading,
        _busy: MutexGuard<'_, ()>,
    ) -> Result<(), ReloadError> {
        let loader = Arc::clone(&reloading.loader);
        let loaded = tokio::task::spawn_blocking(move || loader()).await;
        let loaded = loaded.map_err(|error| ReloadError::Failed(error.to_string()));
        let result = loaded.and_then(|models| models.map_err(ReloadError::Failed));
        let result = result.map(|models| self.0.replace_models(models));
        self.0.metrics.reload(result.is_ok());
        match &result {
            Ok(()) => tracing::info!("the models were loaded anew"),
            Err(error) => tracing::error!(%error, "the models were not loaded anew"),
        }
        result
    }
}
