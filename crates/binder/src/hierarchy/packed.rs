//! Lists of strings in few bytes: a zstd frame of the lengths (32 bits each, little-endian) followed
//! by the texts without separators. Model files and built-ins keep texts in this form.

use std::io::Read;

use super::Texts;
use crate::memory;

/// The level of compression: WordNet's 82,115 definitions take 1.7 MB and 0.2 s.
const LEVEL: i32 = 9;

/// Texts are seldom packed tighter than this.
const LIKELY: u64 = 32;

/// What is wrong with compressed texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DamagedTexts {
    /// They cannot be unpacked.
    #[error("cannot be unpacked")]
    Packing,
    /// Unpacked, they take more memory than may be used.
    #[error("take more memory unpacked than may be used")]
    Memory,
    /// The lengths do not add up to the length of the text.
    #[error("the lengths do not fit the text")]
    Lengths,
    /// The text is not UTF-8.
    #[error("are not UTF-8")]
    Encoding,
}

/// Compresses a list.
pub(crate) fn pack(texts: &Texts) -> Vec<u8> {
    pack_at(texts, LEVEL)
}

/// Compresses a list at a level of choice: the more, the smaller and the slower.
pub(crate) fn pack_at(texts: &Texts, level: i32) -> Vec<u8> {
    let length = |text: &str| u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes();
    let mut bytes: Vec<u8> = texts.iter().flat_map(length).collect();
    bytes.extend_from_slice(texts.bytes());
    zstd::bulk::compress(&bytes, level).expect("compressing memory does not fail")
}

/// Unpacks a list of `count` strings.
pub(crate) fn unpack(packed: &[u8], count: usize) -> Result<Texts, DamagedTexts> {
    let mut lengths = decompress(packed)?;
    let start = count.checked_mul(4).filter(|&start| start <= lengths.len());
    let text = lengths.split_off(start.ok_or(DamagedTexts::Lengths)?);
    let text = String::from_utf8(text).map_err(|_| DamagedTexts::Encoding)?;
    let lengths = lengths.as_chunks::<4>().0.iter().map(|&length| u32::from_le_bytes(length));
    Texts::from_lengths(text, lengths).ok_or(DamagedTexts::Lengths)
}

/// The contents of a frame, which may be anybody's: what it says about its size is believed up to a
/// point, and from there on memory grows with what really comes out.
fn decompress(packed: &[u8]) -> Result<Vec<u8>, DamagedTexts> {
    let limit = memory::limit();
    let said = zstd::zstd_safe::get_frame_content_size(packed).ok().flatten().unwrap_or(0);
    let believed = said.min(limit).min(LIKELY * packed.len() as u64);
    let mut bytes = Vec::with_capacity(usize::try_from(believed).unwrap_or(0));
    let decoder = zstd::Decoder::with_buffer(packed).map_err(|_| DamagedTexts::Packing)?;
    let read = decoder.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|_| DamagedTexts::Packing)?;
    if bytes.len() as u64 > limit { Err(DamagedTexts::Memory) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Texts {
        ["dog", "", "der Hund · 犬"].into_iter().collect()
    }

    #[test]
    fn a_list_comes_back() {
        for texts in [Texts::default(), words()] {
            assert_eq!(unpack(&pack(&texts), texts.len()), Ok(texts));
        }
    }

    #[test]
    fn every_fault_is_told() {
        let packed = pack(&words());
        assert_eq!(unpack(&packed[..packed.len() - 1], 3), Err(DamagedTexts::Packing));
        assert_eq!(unpack(b"no frame", 3), Err(DamagedTexts::Packing));
        assert_eq!(unpack(&packed, 2), Err(DamagedTexts::Lengths));
        assert_eq!(unpack(&packed, 4), Err(DamagedTexts::Lengths));
        assert_eq!(unpack(&packed, usize::MAX), Err(DamagedTexts::Lengths));
        let frame = |bytes: &[u8]| zstd::bulk::compress(bytes, 1).unwrap();
        assert_eq!(unpack(&frame(b"\x01\0\0\0\xff"), 1), Err(DamagedTexts::Encoding));
        assert_eq!(unpack(&frame(b"\x09\0\0\0a"), 1), Err(DamagedTexts::Lengths));
        // The first length ends inside a letter.
        assert_eq!(
            unpack(&frame("\x01\0\0\0\x01\0\0\0ä".as_bytes()), 2),
            Err(DamagedTexts::Lengths)
        );
    }
}
