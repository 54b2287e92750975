//! A Parquet file while it is written: groups of rows, each column of a group in pages of plain values packed by Snappy.

use super::thrift::{structure, text, whole, Fields, STRUCT, TEXT, WHOLE};
use super::{Kind, Values, MAGIC, PLAIN, RUNS, SNAPPY};
use std::borrow::Cow;
use std::io::{self, Write};

/// Bytes of values after which a page is full.
const PAGE: usize = 1 << 20;

/// What a group of rows needs to be found again.
struct Group {
    rows: u64,
    columns: Vec<Chunk>,
}

/// Where the values of one column of a group lie.
#[derive(Default)]
struct Chunk {
    place: u64,
    plain: u64,
    packed: u64,
}

/// A file while it is written.
pub(crate) struct Writer<W: Write> {
    out: W,
    place: u64,
    columns: Vec<(String, Kind)>,
    groups: Vec<Group>,
    packer: snap::raw::Encoder,
}

impl<W: Write> Writer<W> {
    /// Begins a file of these columns.
    pub(crate) fn new(out: W, columns: Vec<(String, Kind)>) -> io::Result<Writer<W>> {
        let packer = snap::raw::Encoder::new();
        let mut writer = Writer { out, place: 0, columns, groups: Vec::new(), packer };
        writer.put(MAGIC)?;
        Ok(writer)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.place += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    /// Adds rows: the values of each column, in order.
    pub(crate) fn group<'v>(&mut self, rows: usize, columns: impl Iterator<Item = Values<'v>>) -> io::Result<()> {
        let columns = columns.map(|values| self.chunk(values, rows)).collect::<io::Result<_>>()?;
        self.groups.push(Group { rows: rows as u64, columns });
        Ok(())
    }

    /// Adds rows of numbers, whose columns are read one after the other.
    pub(crate) fn group_of<'v>(
        &mut self,
        rows: usize,
        columns: usize,
        column: impl Fn(usize) -> io::Result<Cow<'v, [f64]>>,
    ) -> io::Result<()> {
        let chunk = |k: usize| self.chunk(Values::Numbers(&column(k)?), rows);
        let columns = (0..columns).map(chunk).collect::<io::Result<_>>()?;
        self.groups.push(Group { rows: rows as u64, columns });
        Ok(())
    }

    fn chunk(&mut self, values: Values, rows: usize) -> io::Result<Chunk> {
        let mut chunk = Chunk { place: self.place, ..Chunk::default() };
        let mut plain = Vec::with_capacity(PAGE.min(8 * rows) + 8);
        let mut count = 0;
        for k in 0..rows {
            match values {
                Values::Wholes(data) => plain.extend_from_slice(&data[k].to_le_bytes()),
                Values::Numbers(data) => plain.extend_from_slice(&data[k].to_le_bytes()),
                Values::Texts(data) => {
                    let length = u32::try_from(data[k].len()).map_err(io::Error::other)?;
                    plain.extend_from_slice(&length.to_le_bytes());
                    plain.extend_from_slice(data[k].as_bytes());
                }
            }
            count += 1;
            if plain.len() >= PAGE || k + 1 == rows {
                self.page(&plain, count, &mut chunk)?;
                plain.clear();
                count = 0;
            }
        }
        Ok(chunk)
    }

    fn page(&mut self, plain: &[u8], count: i32, chunk: &mut Chunk) -> io::Result<()> {
        let packed = self.packer.compress_vec(plain).map_err(io::Error::other)?;
        let size = |bytes: &[u8]| i32::try_from(bytes.len()).map_err(io::Error::other);
        let (plain_size, packed_size) = (size(plain)?, size(&packed)?);
        let mut head = Vec::new();
        structure(&mut head, |page| {
            page.whole(1, 0);
            page.whole(2, plain_size);
            page.whole(3, packed_size);
            page.structure(5, |data| {
                data.whole(1, count);
                data.whole(2, PLAIN);
                // Every value is there, so that no levels are written.
                data.whole(3, RUNS);
                data.whole(4, RUNS);
            });
        });
        chunk.plain += (head.len() + plain.len()) as u64;
        chunk.packed += (head.len() + packed.len()) as u64;
        self.put(&head)?;
        self.put(&packed)
    }

    /// Ends the file with what it says of itself: keys and values.
    pub(crate) fn finish(mut self, notes: &[(String, String)]) -> io::Result<()> {
        let mut footer = Vec::new();
        structure(&mut footer, |file| {
            file.whole(1, 1);
            let root = [None];
            let elements: Vec<_> = root.into_iter().chain(self.columns.iter().map(Some)).collect();
            file.list(2, STRUCT, &elements, |out, column| structure(out, |element| self.element(element, *column)));
            file.long(3, self.groups.iter().map(|group| group.rows).sum());
            file.list(4, STRUCT, &self.groups, |out, group| structure(out, |fields| self.row_group(fields, group)));
            file.list(5, STRUCT, notes, |out, (key, value)| {
                structure(out, |pair| {
                    pair.text(1, key);
                    pair.text(2, value);
                })
            });
            file.text(6, concat!("biela ", env!("CARGO_PKG_VERSION")));
        });
        let length = u32::try_from(footer.len()).map_err(io::Error::other)?;
        self.put(&footer)?;
        self.put(&length.to_le_bytes())?;
        self.put(MAGIC)?;
        self.out.flush()
    }

    /// A column of the schema, or its root.
    fn element(&self, element: &mut Fields, column: Option<&(String, Kind)>) {
        let Some((name, kind)) = column else {
            element.text(4, "biela");
            return element.whole(5, self.columns.len() as i32);
        };
        element.whole(1, kind.number());
        // Required: no value is ever absent.
        element.whole(3, 0);
        element.text(4, name);
        if *kind == Kind::Text {
            element.whole(6, 0);
            element.structure(10, |logical| logical.structure(1, |_| ()));
        }
    }

    fn row_group(&self, fields: &mut Fields, group: &Group) {
        let columns: Vec<_> = self.columns.iter().zip(&group.columns).collect();
        fields.list(1, STRUCT, &columns, |out, ((name, kind), chunk)| {
            structure(out, |column| {
                column.long(2, chunk.place);
                column.structure(3, |data| {
                    data.whole(1, kind.number());
                    data.list(2, WHOLE, &[PLAIN, RUNS], |out, encoding| whole(out, (*encoding).into()));
                    data.list(3, TEXT, &[name], |out, name| text(out, name));
                    data.whole(4, SNAPPY);
                    data.long(5, group.rows);
                    data.long(6, chunk.plain);
                    data.long(7, chunk.packed);
                    data.long(9, chunk.place);
                });
            })
        });
        fields.long(2, group.columns.iter().map(|chunk| chunk.plain).sum());
        fields.long(3, group.rows);
    }
}
