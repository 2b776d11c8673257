//! How much memory may be used, and what a stage says before it takes more than that.
//!
//! A stage that may take much memory computes how much before it begins, and asks [`check`]. So it
//! ends with an error that has figures, instead of being ended by the system half-way. The limit
//! belongs to the whole process; a stage is compared with it alone, whatever else is in use.
//!
//! ```
//! use binder::memory::{self, Stage};
//! memory::set_limit(Some(1 << 20));
//! let error = memory::check(Stage::Closure, 2 << 20).unwrap_err();
//! let text = "the closure takes about 2.1 MB of memory, more than the limit of 1.0 MB";
//! assert_eq!(error.to_string(), text);
//! memory::set_limit(None);
//! ```

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A limit that was set; [`NOT_SET`] stands for the default.
static LIMIT: AtomicU64 = AtomicU64::new(NOT_SET);

const NOT_SET: u64 = u64::MAX;

/// One part in so many of the memory there is stays free for everything else.
const MARGIN: u64 = 8;

/// Work that may take much memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// The names and pairs of a hierarchy.
    Hierarchy,
    /// All pairs of a hierarchy.
    Closure,
    /// All pairs of a hierarchy, by child and by parent.
    ClosureGraph,
    /// All pairs of a hierarchy and the lists they are split into.
    Split,
    /// One code per concept.
    Codes,
    /// Codes and their columns while they are made.
    Columns,
    /// What the local search counts for every bit.
    Search,
    /// The negatives that an epoch draws.
    Draws,
    /// What is counted in the texts of a hierarchy to place concepts.
    Placer,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hierarchy => "the hierarchy",
            Self::Closure => "the closure",
            Self::ClosureGraph => "the closure by child and by parent",
            Self::Split => "the closure with the parts of the split",
            Self::Codes => "the table of codes",
            Self::Columns => "the table of codes with its columns",
            Self::Search => "the table of counts for the search",
            Self::Draws => "the list of an epoch's draws",
            Self::Placer => "what a placer counts in the texts",
        })
    }
}

/// A stage would take more memory than it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "{stage} takes about {} of memory, more than the limit of {}", Size(*needed), Size(*limit)
)]
pub struct MemoryError {
    /// What would take it.
    pub stage: Stage,
    /// How much it would take at most, in bytes.
    pub needed: u64,
    /// The limit, in bytes.
    pub limit: u64,
}

/// Sets the most bytes that a stage may take, for the whole process; without a number, the default
/// of [`limit`].
pub fn set_limit(bytes: Option<u64>) {
    LIMIT.store(bytes.unwrap_or(NOT_SET), Ordering::Relaxed);
}

/// The most bytes that a stage may take: what was [set](set_limit), or else what the machine or the
/// control group of the process has, less an eighth. Where neither says, there is no limit.
pub fn limit() -> u64 {
    static DEFAULT: OnceLock<u64> = OnceLock::new();
    match LIMIT.load(Ordering::Relaxed) {
        NOT_SET => *DEFAULT.get_or_init(|| {
            let here = machine().into_iter().chain(control_groups()).min();
            here.map_or(NOT_SET, |bytes| bytes - bytes / MARGIN)
        }),
        set => set,
    }
}

/// Whether a stage may take so many bytes; asked before it begins.
///
/// # Errors
///
/// When that is more than the [`limit`].
pub fn check(stage: Stage, needed: u64) -> Result<(), MemoryError> {
    let limit = limit();
    if needed > limit { Err(MemoryError { stage, needed, limit }) } else { Ok(()) }
}

/// A number of bytes, as people write it: `500 MB`, `4G`, `1.5 GiB`.
///
/// # Examples
///
/// ```
/// use binder::memory::Size;
/// assert_eq!("1.5GB".parse(), Ok(Size(1_500_000_000)));
/// assert_eq!("2 KiB".parse(), Ok(Size(2048)));
/// assert_eq!(Size(1_500_000_000).to_string(), "1.5 GB");
/// assert!("lots".parse::<Size>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size(pub u64);

/// A text that is not a number of bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a size; give a number and a unit, for example 500MB, 4GB or 2GiB")]
pub struct SizeError(String);

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let wrong = || SizeError(text.to_owned());
        let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let unit: f64 = match unit.trim().to_ascii_lowercase().as_str() {
            "" | "b" => 1.0,
            "k" | "kb" => 1e3,
            "m" | "mb" => 1e6,
            "g" | "gb" => 1e9,
            "t" | "tb" => 1e12,
            "kib" => 1024.0,
            "mib" => 1_048_576.0,
            "gib" => 1_073_741_824.0,
            "tib" => 1_099_511_627_776.0,
            _ => return Err(wrong()),
        };
        let bytes = number.parse::<f64>().map_err(|_| wrong())? * unit;
        if !(1.0..=1e18).contains(&bytes) {
            return Err(wrong());
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 10^18")]
        Ok(Self(bytes as u64))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")];
        match units.into_iter().find(|&(unit, _)| self.0 >= unit) {
            Some((unit, name)) => {
                let tenths = (u128::from(self.0) * 10 + u128::from(unit) / 2) / u128::from(unit);
                write!(f, "{}.{} {name}", tenths / 10, tenths % 10)
            }
            None => write!(f, "{} bytes", self.0),
        }
    }
}

/// The machine's memory.
fn machine() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The limits of the control groups that the process is in.
fn control_groups() -> Vec<u64> {
    let text = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let files = text.lines().filter_map(limit_files).flatten();
    files.filter_map(|file| fs::read_to_string(file).ok()?.trim().parse().ok()).collect()
}

/// Where the limits of a group and of those around it stand, for a line of `/proc/self/cgroup`:
/// `0::/user/shell` in version 2, `9:memory:/user/shell` in version 1.
fn limit_files(line: &str) -> Option<Vec<PathBuf>> {
    let mut fields = line.splitn(3, ':').skip(1);
    let (controllers, group) = (fields.next()?, fields.next()?);
    let (root, name) = match controllers {
        "" => ("/sys/fs/cgroup", "memory.max"),
        list if list.split(',').any(|controller| controller == "memory") => {
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
        }
        _ => return None,
    };
    let group = Path::new(group.trim_start_matches('/'));
    Some(group.ancestors().map(|part| Path::new(root).join(part).join(name)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_for_people() {
        let shown = |bytes| Size(bytes).to_string();
        assert_eq!(
            [0, 999, 1000, 65_536, 1_649_000_000, u64::MAX].map(shown),
            ["0 bytes", "999 bytes", "1.0 kB", "65.5 kB", "1.6 GB", "18446744073.7 GB"]
        );
    }

    #[test]
    fn sizes_of_people() {
        let read = |text: &str| text.parse::<Size>().map(|size| size.0).ok();
        assert_eq!(read("4G"), Some(4_000_000_000));
        assert_eq!(read("0.5 mib"), Some(524_288));
        assert_eq!(read("70000"), Some(70_000));
        for wrong in ["", "0", "-1", "G", "1.2.3M", "4 GBs", "1e9", "inf", "99999999T"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_files_of_both_versions_of_control_groups() {
        let files = |line| -> Vec<String> {
            let files = limit_files(line).unwrap_or_default();
            files.iter().map(|file| file.display().to_string()).collect()
        };
        let two = ["/sys/fs/cgroup/a/b/memory.max", "/sys/fs/cgroup/a/memory.max"];
        assert_eq!(files("0::/a/b")[..2], two);
        assert_eq!(files("0::/"), ["/sys/fs/cgroup/memory.max"]);
        let one = "/sys/fs/cgroup/memory/a/memory.limit_in_bytes";
        assert_eq!(files("9:cpu,memory:/a")[0], one);
        assert!(files("8:cpu:/a").is_empty() && files("nonsense").is_empty());
    }

    #[test]
    fn the_default_is_less_than_the_machine_has() {
        if let Some(all) = machine() {
            assert!(limit() < all && limit() > 0);
        }
    }
}
