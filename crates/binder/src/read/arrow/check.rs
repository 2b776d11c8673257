use arrow_ipc::{Message, RecordBatch, root_as_footer, root_as_message};

/// What stands before every message.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// The mark at both ends of a file; at its beginning, two more bytes follow.
const MARK: &[u8] = b"ARROW1";

/// How many bytes a packed byte can become. Zstandard packs runs best: 128 KiB of one byte take
/// four bytes.
const MOST_UNPACKED: u64 = 1 << 15;

/// Refuses an Arrow file whose lengths lead beyond its end, or that unpacks to more than so many
/// bytes. The reader believes these lengths, and would ask for any amount of memory.
pub(super) fn check_file(bytes: &[u8], max_bytes: u64) -> Result<(), String> {
    let body = bytes.strip_suffix(MARK).ok_or("the file is cut off")?;
    let (rest, length) = body.split_last_chunk::<4>().ok_or("the file is cut off")?;
    let length = usize::try_from(i32::from_le_bytes(*length)).map_err(|_| wrong())?;
    let footer = rest.len().checked_sub(length).map(|start| &rest[start..]).ok_or_else(wrong)?;
    let footer = root_as_footer(footer).map_err(|error| error.to_string())?;
    let mut unpacked = 0;
    let blocks = footer.recordBatches().into_iter().chain(footer.dictionaries());
    for block in blocks.flatten() {
        let start = usize::try_from(block.offset()).map_err(|_| wrong())?;
        let message = bytes.get(start..).ok_or_else(wrong)?;
        let lengths = (i64::from(block.metaDataLength()), block.bodyLength());
        let whole = usize::try_from(lengths.0.saturating_add(lengths.1)).map_err(|_| wrong())?;
        if lengths.0 < 0 || lengths.1 < 0 || whole > message.len() {
            return Err(wrong());
        }
        let metadata = usize::try_from(lengths.0).map_err(|_| wrong())?;
        let body = &message[metadata..whole];
        let skipped = if message.starts_with(&CONTINUATION) { 8 } else { 4 };
        let metadata = message.get(skipped..metadata).ok_or_else(wrong)?;
        let header = root_as_message(metadata).map_err(|error| error.to_string())?;
        if header.bodyLength() != lengths.1 {
            return Err(wrong());
        }
        unpacked += check_message(&header, body)?;
    }
    check_size(unpacked, max_bytes)
}

/// The same for a stream.
pub(super) fn check_stream(mut bytes: &[u8], max_bytes: u64) -> Result<(), String> {
    let mut unpacked = 0;
    while let Some(rest) = bytes.strip_prefix(&CONTINUATION) {
        let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(wrong)?;
        let length = usize::try_from(i32::from_le_bytes(*length)).map_err(|_| wrong())?;
        if length == 0 {
            break;
        }
        let metadata = rest.get(..length).ok_or_else(wrong)?;
        let header = root_as_message(metadata).map_err(|error| error.to_string())?;
        let body = usize::try_from(header.bodyLength()).map_err(|_| wrong())?;
        let end = length.checked_add(body).ok_or_else(wrong)?;
        unpacked += check_message(&header, rest.get(length..end).ok_or_else(wrong)?)?;
        bytes = &rest[end..];
    }
    check_size(unpacked, max_bytes)
}

fn check_message(header: &Message<'_>, body: &[u8]) -> Result<u64, String> {
    let dictionary = || header.header_as_dictionary_batch().and_then(|batch| batch.data());
    match header.header_as_record_batch().or_else(dictionary) {
        Some(batch) => check_batch(&batch, body),
        None => Ok(0),
    }
}

/// Checks the buffers of a batch. Returns how many bytes they unpack to.
fn check_batch(batch: &RecordBatch<'_>, body: &[u8]) -> Result<u64, String> {
    let mut unpacked = 0u64;
    for buffer in batch.buffers().into_iter().flatten() {
        let start = usize::try_from(buffer.offset()).map_err(|_| wrong())?;
        let length = usize::try_from(buffer.length()).map_err(|_| wrong())?;
        let bytes = start.checked_add(length).and_then(|end| body.get(start..end));
        let bytes = bytes.ok_or_else(wrong)?;
        let told = match (batch.compression(), bytes.first_chunk::<8>()) {
            // -1 stands for a buffer that was not compressed after all.
            (Some(_), Some(told)) => i64::from_le_bytes(*told).max(-1),
            _ => -1,
        };
        let told = u64::try_from(told).unwrap_or(length as u64);
        if told > (length as u64).saturating_mul(MOST_UNPACKED) {
            return Err("a column says that it unpacks to more than it can".to_owned());
        }
        unpacked = unpacked.saturating_add(told);
    }
    let rows = usize::try_from(batch.length()).map_err(|_| wrong())?;
    // A column takes at least a bit for each row, or none at all where all are missing.
    let has_room = rows as u64 <= unpacked.saturating_mul(8).max(1 << 20);
    if has_room { Ok(unpacked) } else { Err(wrong()) }
}

fn check_size(unpacked: u64, max_bytes: u64) -> Result<(), String> {
    if unpacked > max_bytes { Err("it unpacks to too many bytes".to_owned()) } else { Ok(()) }
}

fn wrong() -> String {
    "a length leads beyond the end of the file".to_owned()
}
