/// What codes are learnt for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Task {
    /// Learn from the closure, judge all pairs.
    Representation,
    /// Learn from the direct pairs and so many percent of the indirect ones, judge held-out pairs.
    LinkPrediction(u32),
}

/// The shares of indirect pairs that the paper trains on, in percent.
pub(crate) const PERCENTAGES: [u32; 4] = [0, 10, 25, 50];

impl Task {
    /// The name in the ledger.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Representation => "representation".to_owned(),
            Self::LinkPrediction(percentage) => format!("tc-{percentage}"),
        }
    }

    /// The name in reports.
    pub(crate) fn title(self) -> String {
        match self {
            Self::Representation => "Representation".to_owned(),
            Self::LinkPrediction(percentage) => {
                format!("Link prediction, {percentage} % of indirect pairs")
            }
        }
    }
}
