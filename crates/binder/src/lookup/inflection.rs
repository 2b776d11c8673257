//! English plurals, as far as the endings go: people ask for dogs where the concept is dog.

/// Shorter texts are symbols and abbreviations: as is no plural of a.
const SHORTEST: usize = 3;

/// Other numbers of a text in [normal](super::spelling::normal) form: the singular if it may be a
/// plural, and the plural. Only the last word changes.
pub(super) fn other_numbers(key: &str) -> Vec<String> {
    let with = |stem: &str, ending: &str| format!("{stem}{ending}");
    let mut numbers = Vec::new();
    if key.len() < SHORTEST {
        return numbers;
    }
    if let Some(stem) = key.strip_suffix("ies") {
        numbers.push(with(stem, "y"));
    }
    if let Some(stem) = key.strip_suffix("es").filter(|stem| takes_es(stem)) {
        numbers.push(stem.to_owned());
    }
    if let Some(stem) = key.strip_suffix('s').filter(|stem| !stem.ends_with('s')) {
        numbers.push(stem.to_owned());
    }
    numbers.push(with(key, "s"));
    if takes_es(key) {
        numbers.push(with(key, "es"));
    }
    if let Some(stem) = key.strip_suffix('y') {
        numbers.push(with(stem, "ies"));
    }
    numbers
}

/// Whether a word ends as those do whose plural ends in -es: fox, church, wish, glass, hero.
fn takes_es(word: &str) -> bool {
    ["s", "x", "z", "ch", "sh", "o"].iter().any(|ending| word.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::other_numbers;

    #[test]
    fn endings_go_both_ways() {
        for (plural, singular) in [
            ("dogs", "dog"),
            ("puppies", "puppy"),
            ("foxes", "fox"),
            ("churches", "church"),
            ("golden retrievers", "golden retriever"),
        ] {
            assert!(other_numbers(plural).contains(&singular.to_owned()), "{plural}");
            assert!(other_numbers(singular).contains(&plural.to_owned()), "{singular}");
        }
        assert!(!other_numbers("glass").contains(&"glas".to_owned()));
        assert!(other_numbers("a").is_empty() && other_numbers("").is_empty());
    }
}
