use super::collect::Collector;
use super::relations::Text;
use crate::bits::Id;

/// Texts about resources, kept until it is known which of them are concepts: properties have labels
/// too, and which resources are concepts is known only at the end of a file.
#[derive(Debug, Default)]
pub(super) struct Annotations(Vec<(Box<str>, Text, Box<str>)>);

impl Annotations {
    pub(super) fn add(&mut self, subject: &str, kind: Text, text: &str) {
        if kind != Text::Deprecated || ["true", "1"].contains(&text) {
            self.0.push((subject.into(), kind, text.into()));
        }
    }

    /// Hands over what is said about concepts, in their order; the best label of each comes first.
    pub(super) fn hand_over(self, collector: &mut Collector<'_>) {
        let find = |(subject, kind, text): (Box<str>, Text, Box<str>)| {
            Some((collector.find(&subject)?, kind, text))
        };
        let mut known: Vec<(Id, Text, Box<str>)> = self.0.into_iter().filter_map(find).collect();
        known.sort_by_key(|&(concept, kind, _)| match kind {
            Text::Label(rank) => (concept, rank),
            _ => (concept, 0),
        });
        for (concept, kind, text) in known {
            match kind {
                Text::Label(_) => collector.label(concept, &text),
                Text::Synonym(scope) => collector.synonym(concept, &text, scope),
                Text::Definition => collector.definition(concept, &text),
                Text::Deprecated => collector.obsolete(concept),
            }
        }
    }
}
