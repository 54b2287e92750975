//! Thrift's compact protocol, as far as the metadata of Parquet needs it: fields tell their number by the distance from the one
//! before, whole numbers are zigzag varints, texts and lists begin with their length.

/// What a field or an element of a list is.
pub(super) const WHOLE: u8 = 5;
const LONG: u8 = 6;
pub(super) const TEXT: u8 = 8;
const LIST: u8 = 9;
pub(super) const STRUCT: u8 = 12;

/// How deep what is left out may be nested.
const DEEPEST: usize = 32;

/// A struct while it is written, its fields in rising order.
pub(super) struct Fields<'b> {
    out: &'b mut Vec<u8>,
    last: u8,
}

/// Writes a struct.
pub(super) fn structure(out: &mut Vec<u8>, write: impl FnOnce(&mut Fields)) {
    write(&mut Fields { out, last: 0 });
    out.push(0);
}

/// Writes a text.
pub(super) fn text(out: &mut Vec<u8>, value: &str) {
    varint(out, value.len() as u64);
    out.extend_from_slice(value.as_bytes());
}

/// Writes a whole number.
pub(super) fn whole(out: &mut Vec<u8>, value: i64) {
    varint(out, ((value << 1) ^ (value >> 63)) as u64);
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

impl Fields<'_> {
    fn field(&mut self, id: u8, kind: u8) -> &mut Vec<u8> {
        self.out.push((id - self.last) << 4 | kind);
        self.last = id;
        self.out
    }

    pub(super) fn whole(&mut self, id: u8, value: i32) {
        whole(self.field(id, WHOLE), value.into());
    }

    pub(super) fn long(&mut self, id: u8, value: u64) {
        whole(self.field(id, LONG), value as i64);
    }

    pub(super) fn text(&mut self, id: u8, value: &str) {
        text(self.field(id, TEXT), value);
    }

    pub(super) fn structure(&mut self, id: u8, write: impl FnOnce(&mut Fields)) {
        structure(self.field(id, STRUCT), write);
    }

    /// A list of one kind of elements, each written by `write`.
    pub(super) fn list<T>(&mut self, id: u8, kind: u8, items: &[T], write: impl Fn(&mut Vec<u8>, &T)) {
        let out = self.field(id, LIST);
        match items.len() {
            few @ 0..15 => out.push((few as u8) << 4 | kind),
            many => {
                out.push(0xf0 | kind);
                varint(out, many as u64);
            }
        }
        items.iter().for_each(|item| write(out, item));
    }
}

/// What is wrong with bytes that were to be read.
pub(super) type Fault = &'static str;
const SHORT: Fault = "it ends too soon";
const STRANGE: Fault = "its metadata are damaged";

/// Bytes while they are read.
pub(super) struct Reader<'b> {
    bytes: &'b [u8],
}

impl<'b> Reader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Reader<'b> {
        Reader { bytes }
    }

    /// How many bytes are left.
    pub(super) fn left(&self) -> usize {
        self.bytes.len()
    }

    fn take(&mut self, count: usize) -> Result<&'b [u8], Fault> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(SHORT)?;
        self.bytes = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, Fault> {
        Ok(self.take(1)?[0])
    }

    fn varint(&mut self) -> Result<u64, Fault> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(STRANGE)
    }

    /// A whole number of any width.
    pub(super) fn whole(&mut self, kind: u8) -> Result<i64, Fault> {
        if !(4..=LONG).contains(&kind) {
            return Err(STRANGE);
        }
        let zigzag = self.varint()?;
        Ok((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64))
    }

    /// A count or a size: a whole number that is not below zero.
    pub(super) fn size(&mut self, kind: u8) -> Result<usize, Fault> {
        usize::try_from(self.whole(kind)?).map_err(|_| STRANGE)
    }

    /// A text; what is no UTF-8 in it is marked.
    pub(super) fn text(&mut self, kind: u8) -> Result<String, Fault> {
        if kind != TEXT {
            return Err(STRANGE);
        }
        let length = self.varint()?;
        let bytes = self.take(usize::try_from(length).map_err(|_| SHORT)?)?;
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    /// Reads a struct: `each` is given the number and the kind of every field, and reads or skips it.
    pub(super) fn structure(
        &mut self,
        kind: u8,
        mut each: impl FnMut(&mut Reader<'b>, i16, u8) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if kind != STRUCT {
            return Err(STRANGE);
        }
        let mut id = 0i16;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Ok(());
            }
            id = match head >> 4 {
                0 => i16::try_from(self.whole(4)?).map_err(|_| STRANGE)?,
                distance => id.checked_add(distance.into()).ok_or(STRANGE)?,
            };
            each(self, id, head & 0x0f)?;
        }
    }

    /// Reads a list: `each` is given the kind of the elements, and reads one.
    pub(super) fn list(
        &mut self,
        kind: u8,
        mut each: impl FnMut(&mut Reader<'b>, u8) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        // Sets are written as lists are.
        if !(LIST..=LIST + 1).contains(&kind) {
            return Err(STRANGE);
        }
        let head = self.byte()?;
        let count = match head >> 4 {
            15 => self.varint()?,
            few => few.into(),
        };
        // Every element takes a byte at least.
        if count > self.left() as u64 {
            return Err(SHORT);
        }
        (0..count).try_for_each(|_| each(self, head & 0x0f))
    }

    /// Leaves out a field of a struct.
    pub(super) fn skip(&mut self, kind: u8) -> Result<(), Fault> {
        match kind {
            // A flag is its own kind.
            1 | 2 => Ok(()),
            _ => self.skip_element(kind, DEEPEST),
        }
    }

    fn skip_element(&mut self, kind: u8, depth: usize) -> Result<(), Fault> {
        let depth = depth.checked_sub(1).ok_or(STRANGE)?;
        match kind {
            1..=3 => self.take(1).map(|_| ()),
            4..=LONG => self.whole(kind).map(|_| ()),
            7 => self.take(8).map(|_| ()),
            TEXT => {
                let length = self.varint()?;
                self.take(usize::try_from(length).map_err(|_| SHORT)?).map(|_| ())
            }
            9 | 10 => self.list(kind, |reader, kind| reader.skip_element(kind, depth)),
            STRUCT => self.structure(kind, |reader, _, kind| match kind {
                1 | 2 => Ok(()),
                _ => reader.skip_element(kind, depth),
            }),
            _ => Err(STRANGE),
        }
    }
}
