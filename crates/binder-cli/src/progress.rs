use std::io::Write;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal;

/// A bar is shown on standard error after this time, and only on a terminal.
const PATIENCE: Duration = Duration::from_secs(1);

/// Draws the library's progress.
#[derive(Default)]
pub(crate) struct Bars {
    current: Mutex<Option<ProgressBar>>,
}

impl binder::Progress for Bars {
    fn start(&self, stage: &str, total: Option<u64>) {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        bar.set_style(style(total.is_some()));
        bar.set_message(stage.to_owned());
        show_later(bar.clone());
        self.replace(Some(bar));
    }

    fn advance(&self, steps: u64) {
        if let Some(bar) = self.current.lock().ok().as_deref().and_then(Option::as_ref) {
            bar.inc(steps);
        }
    }
}

impl binder_experiments::Listener for Bars {
    fn line(&self, text: &str) {
        self.print(|| {
            let _ = writeln!(anstream::stderr(), "{text}");
        });
    }

    fn message(&self, text: &str) {
        self.say(text);
    }

    fn note(&self, text: &str) {
        self.print(|| terminal::note(text));
    }

    fn finish(&self) {
        self.replace(None);
    }
}

impl Bars {
    /// Sets the text in front of the bar.
    pub(crate) fn say(&self, message: &str) {
        if let Some(bar) = self.current.lock().ok().as_deref().and_then(Option::as_ref) {
            bar.set_message(message.to_owned());
        }
    }

    /// Sets the work that was done before. The remaining time is estimated from the work done now.
    pub(crate) fn skip(&self, steps: u64) {
        if let Some(bar) = self.current.lock().ok().as_deref().and_then(Option::as_ref) {
            bar.set_position(steps);
            bar.reset_eta();
        }
    }

    /// Prints a line on standard error, above the bar if there is one.
    fn print(&self, print: impl FnOnce()) {
        match self.current.lock().ok().as_deref().and_then(Option::as_ref) {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    fn replace(&self, next: Option<ProgressBar>) {
        let Ok(mut current) = self.current.lock() else { return };
        if let Some(last) = std::mem::replace(&mut *current, next) {
            last.finish_and_clear();
        }
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        self.replace(None);
    }
}

fn show_later(bar: ProgressBar) {
    thread::spawn(move || {
        thread::sleep(PATIENCE);
        if !bar.is_finished() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(Duration::from_millis(100));
        }
    });
}

fn style(bounded: bool) -> ProgressStyle {
    let template = if bounded {
        "{msg} {wide_bar} {percent} %, {eta} left"
    } else {
        "{spinner} {msg} {elapsed}"
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
