/// A number with its thousands apart: 6,742,626,882.
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

#[cfg(test)]
mod tests {
    use super::{counted, grouped};

    #[test]
    fn numbers_are_grouped_and_things_counted() {
        assert_eq!(["0", "999", "1,000"], [0u64, 999, 1000].map(grouped));
        assert_eq!((grouped(-1), grouped(u64::MAX).len()), ("too many".to_owned(), 26));
        assert_eq!(
            (counted(1, "bit"), counted(2000, "bit")),
            ("1 bit".into(), "2,000 bits".into())
        );
    }
}
