use std::borrow::Cow;

/// A text as a terminal may show it: control characters and those that turn the direction of
/// writing are escaped, as in `\u{1b}`. A name must not be able to move the cursor, hide itself or
/// pass for another.
///
/// ```
/// use binder_answers::visible;
/// assert_eq!(visible("dog.n.01"), "dog.n.01");
/// assert_eq!(visible("red\u{1b}[31m"), "red\\u{1b}[31m");
/// assert_eq!(visible("two\nlines"), "two\\nlines");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let escaped = |char: char| {
        if acts(char) { char.escape_default().to_string() } else { char.to_string() }
    };
    Cow::Owned(text.chars().map(escaped).collect())
}

/// Whether a terminal acts on a character instead of showing it.
fn acts(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
