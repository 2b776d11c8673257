use serde::Serialize;

/// Mean and standard deviation over seeds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Stats {
    pub(crate) mean: f64,
    /// Of the sample, so divided by n − 1; 0 for a single value.
    pub(crate) sd: f64,
    pub(crate) runs: usize,
}

impl Stats {
    #[expect(clippy::cast_precision_loss, reason = "a few seeds")]
    pub(crate) fn of(values: &[f64]) -> Self {
        let runs = values.len();
        let mean = values.iter().sum::<f64>() / runs.max(1) as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let sd = (squares / runs.saturating_sub(1).max(1) as f64).sqrt();
        Self { mean, sd, runs }
    }

    /// Of fractions, in percent.
    pub(crate) fn percent(fractions: impl Iterator<Item = f64>) -> Self {
        Self::of(&fractions.map(|fraction| fraction * 100.0).collect::<Vec<_>>())
    }

    /// Whether all of the values, which are percentages, look like 100.
    pub(crate) fn is_perfect(&self) -> bool {
        self.runs > 0 && self.mean > 99.995 && self.sd < 0.005
    }

    /// "98.99 ± 0.24", without the deviation if there is one run.
    pub(crate) fn text(&self) -> String {
        match self.runs {
            0 => "–".to_owned(),
            1 => format!("{:.2}", self.mean),
            _ => format!("{:.2} ± {:.2}", self.mean, self.sd),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Stats;

    #[test]
    fn of_a_worked_example() {
        let stats = Stats::percent([0.97, 0.98, 0.99].into_iter());
        assert_eq!(stats.text(), "98.00 ± 1.00");
        assert_eq!(Stats::percent([0.5].into_iter()).text(), "50.00");
    }
}
