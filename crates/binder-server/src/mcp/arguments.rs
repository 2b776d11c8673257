//! What each tool takes. The doc comments are what a language model reads.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::routes::By;

/// How many are listed unless a call says so.
fn twenty() -> usize {
    20
}

fn ten() -> usize {
    10
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct IsAArguments {
    /// The more specific concept; leave it out if you give pairs
    pub(super) child: Option<String>,
    /// The more general concept; leave it out if you give pairs
    pub(super) parent: Option<String>,
    /// Many pairs at once, each [child, parent]; at most 1,000
    #[serde(default)]
    pub(super) pairs: Vec<(String, String)>,
    /// The model, if there are several; default: the first
    pub(super) model: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchArguments {
    /// Words in a name, a label or a synonym, in any order; typing errors are tolerated
    pub(super) text: String,
    /// How many to list
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 100))]
    pub(super) limit: usize,
    /// The model, if there are several; default: the first
    pub(super) model: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DescribeArguments {
    /// The concept
    pub(super) concept: String,
    /// The model, if there are several; default: the first
    pub(super) model: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RelativesArguments {
    /// The concept
    pub(super) concept: String,
    /// Only the nearest: its parents or its children
    #[serde(default)]
    pub(super) nearest: bool,
    /// How many to list
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = 1000))]
    pub(super) limit: usize,
    /// Where to go on: the cursor of the answer before
    pub(super) cursor: Option<String>,
    /// The model, if there are several; default: the first
    pub(super) model: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct JoinArguments {
    /// Two or more concepts
    pub(super) concepts: Vec<String>,
    /// The model, if there are several; default: the first
    pub(super) model: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExplainArguments {
    /// The more specific concept
    pub(super) child: String,
    /// The more general concept
    pub(super) parent: String,
    /// The model, if there are several; default: the first
    pub(super) model: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpressionArguments {
    /// Concepts with & (both), | (what they have in common), ! (not) and ( ); names with spaces or
    /// signs in "quotes"
    pub(super) text: String,
    /// How many to list
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = 1000))]
    pub(super) limit: usize,
    /// Where to go on: the cursor of the answer before
    pub(super) cursor: Option<String>,
    /// The model, if there are several; default: the first
    pub(super) model: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NearestArguments {
    /// The concept
    pub(super) concept: String,
    /// The measure
    #[serde(default)]
    pub(super) by: By,
    /// How many to list
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 100))]
    pub(super) limit: usize,
    /// The model, if there are several; default: the first
    pub(super) model: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PlaceArguments {
    /// The name of a concept that is not in the hierarchy
    #[serde(default)]
    pub(super) name: String,
    /// What it means, in a sentence
    #[serde(default)]
    pub(super) definition: String,
    /// How many places to list
    #[serde(default = "five")]
    #[schemars(range(min = 1, max = 50))]
    pub(super) limit: usize,
}

fn five() -> usize {
    5
}
