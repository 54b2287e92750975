//! Bytes as text (RFC 4648).

/// Standard base64 with padding.
pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |k: usize| u32::from(chunk.get(k).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        let letter = |k: usize| match k <= chunk.len() {
            true => LETTERS[(word >> (18 - 6 * k) & 63) as usize],
            false => b'=',
        };
        out.extend_from_slice(&[letter(0), letter(1), letter(2), letter(3)]);
    }
    String::from_utf8(out).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn the_examples_of_the_standard() {
        let due = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
        for (k, text) in due.iter().enumerate() {
            assert_eq!(base64(&b"foobar"[..k]), *text);
        }
        assert_eq!(base64(&[0xfb, 0xff]), "+/8=");
    }
}
