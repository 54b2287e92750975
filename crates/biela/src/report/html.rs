//! Elements of the page. Every text goes through [`escaped`]; the names of elements and classes are the program's own.

use crate::picture::page::base64;
pub(super) use crate::results::markup::escaped;

/// The body of a page as it grows.
#[derive(Default)]
pub(super) struct Page {
    out: String,
}

impl Page {
    pub fn open(&mut self, element: &'static str, class: &'static str) -> &mut Page {
        match class {
            "" => self.out.push_str(&format!("<{element}>")),
            _ => self.out.push_str(&format!("<{element} class=\"{class}\">")),
        }
        self
    }

    pub fn close(&mut self, element: &'static str) -> &mut Page {
        self.out.push_str(&format!("</{element}>\n"));
        self
    }

    pub fn text(&mut self, text: &str) -> &mut Page {
        self.out.push_str(&escaped(text));
        self
    }

    pub fn heading(&mut self, text: &str) {
        self.open("h2", "").text(text).close("h2");
    }

    pub fn paragraph(&mut self, text: &str) {
        self.open("p", "").text(text).close("p");
    }

    /// A picture as an image, which runs nothing.
    pub fn picture(&mut self, class: &'static str, kind: &'static str, bytes: &[u8], caption: &str) {
        self.open("figure", class);
        self.out.push_str(&format!(
            "<img alt=\"{}\" src=\"{}\">",
            escaped(caption),
            format_args!("data:{kind};base64,{}", base64(bytes))
        ));
        self.open("figcaption", "").text(caption).close("figcaption").close("figure");
    }

    /// A table; a column whose head starts with `#` holds numbers. Rows may have a class; a cell that starts with `!` is marked.
    pub fn table(&mut self, heads: &[&str], rows: &[(&'static str, Vec<String>)]) {
        let class = |k: usize| if heads.get(k).is_some_and(|h| h.starts_with('#')) { "n" } else { "" };
        self.open("div", "scroll").open("table", "").open("thead", "").open("tr", "");
        for (k, head) in heads.iter().enumerate() {
            self.open("th", class(k)).text(head.trim_start_matches('#')).close("th");
        }
        self.close("tr").close("thead").open("tbody", "");
        for (of_row, cells) in rows {
            self.open("tr", of_row);
            for (k, cell) in cells.iter().enumerate() {
                self.open("td", class(k));
                match cell.strip_prefix('!') {
                    Some(marked) => self.open("span", "open").text(marked).close("span"),
                    None => self.text(cell),
                };
                self.close("td");
            }
            self.close("tr");
        }
        self.close("tbody").close("table").close("div");
    }

    /// Names and what stands for them, as code.
    pub fn pairs(&mut self, pairs: &[(&str, &str)]) {
        self.open("dl", "");
        for (name, value) in pairs {
            self.open("dt", "").text(name).close("dt").open("dd", "").open("code", "").text(value);
            self.close("code").close("dd");
        }
        self.close("dl");
    }

    pub fn finish(self) -> String {
        self.out
    }
}

/// A unit as people write it.
pub(super) fn unit(unit: &str) -> String {
    match unit {
        "1" => String::new(),
        unit => unit.replace("^2", "²").replace("^3", "³").replace('*', "·"),
    }
}
