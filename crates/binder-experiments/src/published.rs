//! The numbers that the BINDER paper published, table by table.
//!
//! The columns are those of the paper: Medical, Music, Animals, Shwartz Lex, Shwartz Random,
//! WordNet Nouns. Scores are F1 in percent.

use binder_baselines::Method;

use crate::data::SetInfo;
use crate::task::Task;

/// A mean and its standard deviation.
pub(crate) type MeanSd = (f64, f64);

/// One table of scores, and the settings behind its row for BINDER.
pub(crate) struct Published {
    pub(crate) task: Task,
    /// BINDER, over 5 runs.
    pub(crate) binder: [MeanSd; 6],
    /// In the order of [`RIVALS`].
    pub(crate) rivals: [[f64; 6]; 9],
    /// Bits, α and n⁻ from the table "Best hyper parameter configurations".
    pub(crate) best: [(usize, u32, u32); 6],
}

/// The methods that the paper compares with.
pub(crate) const RIVALS: [&str; 9] = [
    "Sim",
    "Bilinear",
    "Complex",
    "OE",
    "POE",
    "Lorentzian distance",
    "HEC",
    "Gumbel Box",
    "T-Box",
];

/// The place of a method in [`RIVALS`]; the paper has all but Poincaré embeddings.
pub(crate) fn rival(method: Method) -> Option<usize> {
    match method {
        Method::Sim => Some(0),
        Method::Bilinear => Some(1),
        Method::ComplEx => Some(2),
        Method::Oe => Some(3),
        Method::Poe => Some(4),
        Method::Lorentzian => Some(5),
        Method::Hec => Some(6),
        Method::GumbelBox => Some(7),
        Method::TBox => Some(8),
        Method::Poincare => None,
    }
}

/// The tables "Representation" and "Transitive Closure Link Prediction".
pub(crate) static TABLES: [Published; 5] = [
    Published {
        task: Task::Representation,
        binder: [
            (98.26, 0.18),
            (99.16, 0.11),
            (97.98, 1.63),
            (99.12, 0.1),
            (99.3, 0.07),
            (93.34, 0.72),
        ],
        rivals: [
            [100.0, 100.0, 100.0, 97.67, 99.2, 83.74],
            [100.0, 100.0, 100.0, 99.91, 98.23, 26.02],
            [100.0, 100.0, 100.0, 100.0, 99.5, 94.13],
            [99.88, 99.94, 99.76, 99.9, 98.82, 87.27],
            [100.0, 100.0, 100.0, 100.0, 100.0, 99.89],
            [58.37, 56.77, 66.36, 69.91, 56.54, 7.78],
            [97.01, 96.35, 95.81, 94.63, 94.45, 57.19],
            [100.0, 100.0, 100.0, 100.0, 100.0, 100.0],
            [100.0, 100.0, 100.0, 100.0, 100.0, 99.96],
        ],
        best: [
            (128, 40, 512),
            (128, 25, 128),
            (128, 25, 256),
            (128, 40, 512),
            (128, 25, 512),
            (128, 100, 256),
        ],
    },
    Published {
        task: Task::LinkPrediction(0),
        binder: [
            (98.61, 1.32),
            (92.13, 2.27),
            (98.99, 0.24),
            (99.87, 0.09),
            (99.52, 0.21),
            (98.64, 0.09),
        ],
        rivals: [
            [21.23, 25.69, 18.64, 18.69, 22.96, 23.54],
            [21.92, 26.24, 26.05, 28.05, 16.68, 25.71],
            [23.04, 29.27, 23.35, 17.46, 16.77, 24.13],
            [55.9, 46.94, 33.99, 32.29, 30.57, 28.52],
            [81.18, 48.3, 31.81, 30.66, 28.61, 27.26],
            [62.86, 33.33, 33.53, 40.41, 34.01, 28.26],
            [53.4, 35.88, 32.33, 36.38, 32.92, 29.03],
            [88.51, 64.44, 50.65, 46.56, 29.74, 28.3],
            [71.05, 46.77, 33.49, 30.45, 27.53, 27.84],
        ],
        best: [
            (128, 25_000, 128),
            (128, 25_000, 128),
            (128, 25_000, 128),
            (128, 25_000, 128),
            (128, 25_000, 128),
            (128, 25_000, 128),
        ],
    },
    Published {
        task: Task::LinkPrediction(10),
        binder: [
            (99.41, 0.42),
            (93.9, 1.36),
            (98.0, 0.9),
            (99.95, 0.07),
            (99.33, 0.85),
            (98.49, 0.21),
        ],
        rivals: [
            [55.42, 40.31, 38.15, 43.88, 31.68, 27.89],
            [40.48, 37.4, 31.74, 32.36, 16.69, 16.67],
            [38.42, 42.32, 19.36, 17.95, 17.06, 16.93],
            [52.63, 50.0, 33.37, 33.7, 35.75, 28.22],
            [93.83, 77.19, 48.16, 32.15, 34.37, 33.35],
            [68.02, 47.67, 42.0, 69.53, 62.39, 54.75],
            [66.67, 45.97, 54.37, 78.12, 70.07, 65.11],
            [93.67, 83.27, 65.26, 58.58, 52.54, 32.33],
            [76.32, 60.35, 47.24, 37.37, 36.02, 30.33],
        ],
        best: [
            (128, 25_000, 128),
            (128, 10_000, 128),
            (128, 25_000, 128),
            (128, 25_000, 128),
            (128, 25_000, 128),
            (128, 25_000, 128),
        ],
    },
    Published {
        task: Task::LinkPrediction(25),
        binder: [
            (99.53, 0.76),
            (92.78, 1.58),
            (99.05, 0.8),
            (99.97, 0.06),
            (98.78, 0.51),
            (99.04, 0.14),
        ],
        rivals: [
            [64.0, 55.26, 50.23, 38.31, 38.19, 28.62],
            [51.81, 50.0, 44.33, 18.4, 16.68, 16.69],
            [58.29, 57.0, 31.27, 18.02, 17.6, 16.78],
            [52.34, 48.11, 33.17, 35.85, 39.16, 28.18],
            [82.02, 53.03, 31.87, 38.57, 39.18, 28.05],
            [69.31, 46.2, 61.61, 55.1, 77.27, 59.51],
            [72.63, 56.58, 53.6, 81.0, 68.77, 56.68],
            [98.18, 89.05, 80.98, 67.31, 67.38, 31.42],
            [81.88, 58.12, 52.95, 34.6, 45.28, 29.87],
        ],
        best: [
            (128, 50_000, 128),
            (128, 25_000, 128),
            (128, 50_000, 128),
            (128, 50_000, 128),
            (128, 50_000, 128),
            (128, 50_000, 12),
        ],
    },
    Published {
        task: Task::LinkPrediction(50),
        binder: [
            (99.42, 1.0),
            (93.8, 0.87),
            (99.9, 0.1),
            (99.92, 0.07),
            (99.85, 0.14),
            (99.56, 0.03),
        ],
        rivals: [
            [82.35, 72.22, 67.04, 49.44, 38.53, 28.91],
            [69.01, 66.67, 17.9, 17.14, 16.68, 16.67],
            [50.0, 36.05, 31.47, 18.24, 17.35, 16.73],
            [55.51, 50.23, 32.37, 37.48, 39.97, 28.16],
            [61.22, 60.52, 31.96, 36.2, 43.27, 28.09],
            [75.9, 46.49, 65.52, 45.82, 85.03, 61.16],
            [79.76, 59.11, 51.96, 79.15, 66.44, 57.79],
            [99.41, 97.28, 90.72, 62.99, 48.84, 28.81],
            [81.76, 72.22, 64.26, 38.45, 49.14, 34.81],
        ],
        best: [
            (128, 50_000, 128),
            (128, 50_000, 128),
            (128, 50_000, 128),
            (128, 50_000, 128),
            (128, 50_000, 128),
            (128, 50_000, 12),
        ],
    },
];

/// The table of a task.
pub(crate) fn table(task: Task) -> Option<&'static Published> {
    TABLES.iter().find(|table| table.task == task)
}

/// The score of BINDER for a task on a set, if the paper has it.
pub(crate) fn binder(task: Task, set: &SetInfo) -> Option<MeanSd> {
    table(task).zip(set.column).map(|(table, column)| table.binder[column])
}

/// "98.99 ± 0.24", or a dash where nothing was published.
pub(crate) fn text(score: Option<MeanSd>) -> String {
    score.map_or("–".to_owned(), |(mean, sd)| format!("{mean:.2} ± {sd:.2}"))
}

/// Pairs of each data set: direct, indirect.
pub(crate) const EDGES: [(u64, u64); 6] =
    [(2616, 1692), (3920, 2608), (4051, 25_744), (5566, 7940), (13_740, 42_437), (84_363, 576_764)];

/// The ablation on Animals.
pub(crate) struct Ablation {
    pub(crate) task: Task,
    pub(crate) without_beta: MeanSd,
    pub(crate) without_bias: MeanSd,
}

/// Section "Ablation Study".
pub(crate) const ABLATION: [Ablation; 2] = [
    Ablation {
        task: Task::Representation,
        without_beta: (44.07, 1.77),
        without_bias: (96.46, 1.34),
    },
    Ablation {
        task: Task::LinkPrediction(0),
        without_beta: (60.49, 0.55),
        without_bias: (98.73, 0.45),
    },
];

/// The paper's ablation names this as the default β. Every other experiment has 10.
pub(crate) const ABLATION_BETA: u32 = 32;
