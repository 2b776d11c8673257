//! What a verb reads and writes: checked before the work, and never lost after it.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use binder::container::{ContainerError, FileError};
use binder::output::{self, Lock, Plan};
use binder::place::Placer;
use binder::{Hierarchy, Model};
use binder_baselines::Baseline;
use clap::Args;

use crate::args::{Data, Json};
use crate::progress::Bars;
use crate::reading::ReadingArgs;
use crate::remedy::WrongUse;
use crate::terminal::{note, print, print_aside};

/// Whether to overwrite what would otherwise be kept.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Force {
    /// Overwrite a file that is read-only or that Binder did not write
    #[arg(long)]
    pub(crate) force: bool,
}

impl Force {
    pub(crate) fn plan(self) -> Plan {
        Plan::new().force(self.force)
    }
}

/// Whether to wait for another writer.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Waiting {
    /// Fail at once when another process is writing the model, instead of waiting for it
    #[arg(long)]
    no_wait: bool,
}

impl Waiting {
    pub(crate) fn lock(self, path: &Path) -> anyhow::Result<Lock> {
        Ok(if self.no_wait { Lock::try_for(path)? } else { Lock::wait_for(path)? })
    }
}

/// Reads data, and says what was taken for child and parent, unless a program is listening.
pub(crate) fn read_data(
    source: &Path,
    reading: &ReadingArgs,
    json: &Json,
) -> anyhow::Result<Hierarchy> {
    let hierarchy = binder::read(source, &reading.options(), &Bars::default())?;
    if let Some(reading) = hierarchy.reading().filter(|_| !json.json) {
        note(&reading.to_string());
    }
    Ok(hierarchy)
}

/// Reads data for a verb that has nothing to do without pairs.
pub(crate) fn read_pairs_of(
    data: &Data,
    reading: &ReadingArgs,
    json: &Json,
) -> anyhow::Result<Hierarchy> {
    let hierarchy = read_data(&data.source, reading, json)?;
    check_pairs(&data.source, &hierarchy)?;
    Ok(hierarchy)
}

/// Refuses a hierarchy without a single pair: to go on would be to succeed on nothing.
pub(crate) fn check_pairs(source: &Path, hierarchy: &Hierarchy) -> anyhow::Result<()> {
    let (concepts, dropped) = (hierarchy.len(), hierarchy.dropped());
    anyhow::ensure!(
        hierarchy.direct() > 0,
        "{}: no pairs were read ({concepts} concepts, {} pairs of a concept with itself, {} with an \
         obsolete one); check the format and the columns with binder info",
        source.display(),
        dropped.reflexive,
        dropped.with_obsolete,
    );
    Ok(())
}

/// Writes a model where it is to go; `-` is standard output. What cannot be written there is saved
/// elsewhere, and the error says where.
pub(crate) fn save_model(model: &Model, path: &Path) -> anyhow::Result<()> {
    save(path, || model.to_bytes(), |path| model.save(path))
}

/// Writes a baseline, as [`save_model`] writes a model.
pub(crate) fn save_baseline(model: &Baseline, path: &Path) -> anyhow::Result<()> {
    save(path, || model.to_bytes(), |path| model.save(path))
}

/// Writes a placer, as [`save_model`] writes a model, and says how many bytes it takes.
pub(crate) fn save_placer(placer: &Placer, path: &Path) -> anyhow::Result<usize> {
    let bytes = placer.to_bytes().len();
    save(path, || placer.to_bytes(), |path| placer.save(path))?;
    Ok(bytes)
}

fn save(
    path: &Path,
    bytes: impl FnOnce() -> Vec<u8>,
    save: impl Fn(&Path) -> Result<(), FileError>,
) -> anyhow::Result<()> {
    if is_stdout(path) {
        let mut out = std::io::stdout().lock();
        out.write_all(&bytes())?;
        return Ok(out.flush()?);
    }
    let Err(error) = save(path) else { return Ok(()) };
    if !matches!(error, FileError { problem: ContainerError::Io(_), .. }) {
        return Err(error.into());
    }
    match output::rescue_paths(path).into_iter().find(|other| save(other).is_ok()) {
        Some(rescued) => {
            Err(error).with_context(|| format!("the model was saved as {}", rescued.display()))
        }
        None => Err(error.into()),
    }
}

/// Whether a result goes to standard output, so that nothing else may.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Plans a model as output, which may also be standard output.
pub(crate) fn plan_model(plan: &mut Plan, path: &Path, json: bool) -> anyhow::Result<()> {
    if is_stdout(path) {
        let taken =
            "standard output is taken by the model; give --output a file, or leave out --json";
        return Ok(WrongUse::unless(!json, taken)?);
    }
    Ok(plan.writes(path)?)
}

/// Prints a verb's report: on standard error where the model has standard output.
pub(crate) fn print_report(text: &str, output: &Path) -> anyhow::Result<()> {
    if is_stdout(output) {
        return Ok(print_aside(text)?);
    }
    Ok(print(text)?)
}

/// About how many bytes the model of a hierarchy takes: codes of 128 bits, names, labels and pairs.
pub(crate) fn estimated_bytes(hierarchy: &Hierarchy) -> u64 {
    let texts = hierarchy.names().texts().bytes().len() + hierarchy.labels().bytes().len();
    (texts + hierarchy.len() * 48 + hierarchy.direct() * 8) as u64
}

/// Inputs that are files: built-ins and standard input are not.
pub(crate) fn reads(plan: &mut Plan, inputs: impl IntoIterator<Item = impl AsRef<Path>>) {
    inputs.into_iter().for_each(|input| plan.reads(input));
}
