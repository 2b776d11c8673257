//! Numbers as people read them.

/// The number with a comma between groups of three digits.
///
/// ```
/// assert_eq!(binder_experiments::text::grouped(6_742_626_882_u64), "6,742,626,882");
/// ```
pub fn grouped(number: impl TryInto<u64>) -> String {
    let Ok(number) = number.try_into() else { return "too many".to_owned() };
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// "1 pair", "2 pairs".
pub fn counted(count: usize, thing: &str) -> String {
    counted_with(count, thing, &format!("{thing}s"))
}

/// "1 alias", "2 aliases".
pub fn counted_with(count: usize, thing: &str, things: &str) -> String {
    format!("{} {}", grouped(count as u64), if count == 1 { thing } else { things })
}
