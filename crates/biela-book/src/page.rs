//! One document: its headings, links, formulas and text, and itself as HTML.

use crate::fences::{options, words};
use crate::summary::line_of;
use crate::{colour, escaped, Problem};
use pulldown_cmark::{html, CodeBlockKind, CowStr, Event, Parser, Tag, TagEnd};
use pulldown_latex::{config::DisplayMode, mathml::push_mathml, RenderConfig, Storage};
use std::collections::HashMap;

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// 1 for the title.
    pub level: usize,
    /// Name that links use after `#`, made as code hosts make it.
    pub id: String,
    /// Its words.
    pub text: String,
    /// Words of the section that it opens, for the search.
    pub body: String,
}

/// A link or picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// As it is written.
    pub target: String,
    /// Line in the document.
    pub line: usize,
    /// Whether it is a picture.
    pub picture: bool,
}

/// A document that has been read.
#[derive(Debug, Clone)]
pub struct Page {
    /// Its path from the root of the repository.
    pub file: String,
    /// Its text.
    pub text: String,
    /// Headings in order.
    pub headings: Vec<Heading>,
    /// Links and pictures in order.
    pub links: Vec<Link>,
    /// Formulas that cannot be read.
    pub problems: Vec<Problem>,
}

impl Page {
    /// Reads a document.
    pub fn new(file: &str, text: String) -> Page {
        let mut page = Page {
            file: file.to_string(),
            text: String::new(),
            headings: Vec::new(),
            links: Vec::new(),
            problems: Vec::new(),
        };
        let mut taken = HashMap::new();
        let mut heading: Option<(usize, String)> = None;
        for (event, range) in Parser::new_ext(&text, options()).into_offset_iter() {
            let line = line_of(&text, range.start);
            match event {
                Event::Start(Tag::Heading { level, .. }) => heading = Some((level as usize, String::new())),
                Event::End(TagEnd::Heading(_)) => {
                    if let Some((level, words)) = heading.take() {
                        let id = anchor(&words, &mut taken);
                        page.headings.push(Heading { level, id, text: words, body: String::new() });
                    }
                }
                Event::Start(Tag::Link { dest_url, .. }) => {
                    page.links.push(Link { target: dest_url.to_string(), line, picture: false });
                }
                Event::Start(Tag::Image { dest_url, .. }) => {
                    page.links.push(Link { target: dest_url.to_string(), line, picture: true });
                }
                Event::Text(t) | Event::Code(t) => match (&mut heading, page.headings.last_mut()) {
                    (Some((_, words)), _) => words.push_str(&t),
                    (None, Some(section)) => {
                        section.body.push_str(&t);
                        section.body.push(' ');
                    }
                    (None, None) => {}
                },
                Event::InlineMath(t) | Event::DisplayMath(t) => {
                    if let Err(what) = formula(&t, false) {
                        page.problems.push(Problem { file: file.to_string(), line, what });
                    }
                }
                _ => {}
            }
        }
        page.text = text;
        page
    }

    /// The title: its first heading.
    pub fn title(&self) -> &str {
        self.headings.first().map_or("", |h| &h.text)
    }

    /// The document as HTML; `place` says where a link leads in the book, or that it leads nowhere there.
    pub fn html(&self, place: impl Fn(&Link) -> Option<String>) -> String {
        let mut events: Vec<Event> = Vec::new();
        let (mut heading, mut link) = (0, 0);
        let mut code: Option<(String, Vec<String>, String)> = None;
        let mut dropped = 0;
        for event in Parser::new_ext(&self.text, options()) {
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    let id = self.headings.get(heading).map_or("", |h| &h.id);
                    events.push(raw(format!("<{level} id=\"{}\">", escaped(id))));
                }
                Event::End(TagEnd::Heading(level)) => {
                    let id = self.headings.get(heading).map_or("", |h| &h.id);
                    let mark = format!("<a class=\"anchor\" href=\"#{}\" aria-hidden=\"true\">#</a>", escaped(id));
                    events.push(raw(format!("{mark}</{level}>\n")));
                    heading += 1;
                }
                Event::Start(Tag::Link { link_type, title, id, .. }) => {
                    match self.links.get(link).and_then(&place) {
                        Some(to) => {
                            events.push(Event::Start(Tag::Link { link_type, dest_url: to.into(), title, id }));
                        }
                        None => dropped += 1,
                    }
                    link += 1;
                }
                Event::End(TagEnd::Link) if dropped > 0 => dropped -= 1,
                Event::Start(Tag::Image { link_type, title, id, .. }) => {
                    let to = self.links.get(link).and_then(&place).unwrap_or_default();
                    events.push(Event::Start(Tag::Image { link_type, dest_url: to.into(), title, id }));
                    link += 1;
                }
                Event::Start(Tag::CodeBlock(kind)) => {
                    let (language, words) = match kind {
                        CodeBlockKind::Fenced(info) => words(&info),
                        CodeBlockKind::Indented => Default::default(),
                    };
                    code = Some((language, words, String::new()));
                }
                Event::Text(t) if code.is_some() => {
                    if let Some((_, _, text)) = &mut code {
                        text.push_str(&t);
                    }
                }
                Event::End(TagEnd::CodeBlock) => {
                    if let Some((language, words, text)) = code.take() {
                        let file = words.iter().find_map(|w| w.strip_prefix("file="));
                        let label = file.map_or(String::new(), |f| format!("<div class=\"file\">{}</div>", escaped(f)));
                        let live =
                            live(&words, &text).map_or(String::new(), |n| format!(" data-live=\"{}\"", escaped(&n)));
                        let text = colour::html(&language, &text);
                        events.push(raw(format!(
                            "{label}<pre class=\"{}\"{live}><code>{text}</code></pre>\n",
                            escaped(&language)
                        )));
                    }
                }
                Event::Start(Tag::Table(columns)) => {
                    events.push(raw("<div class=\"scroll\">".to_string()));
                    events.push(Event::Start(Tag::Table(columns)));
                }
                Event::End(TagEnd::Table) => {
                    events.push(Event::End(TagEnd::Table));
                    events.push(raw("</div>\n".to_string()));
                }
                Event::InlineMath(t) => events.push(raw(formula(&t, false).unwrap_or_default())),
                Event::DisplayMath(t) => {
                    let text = formula(&t, true).unwrap_or_default();
                    events.push(raw(format!("<span class=\"formula\">{text}</span>")));
                }
                Event::Text(t) => events.push(raw(subscripts(&t))),
                other => events.push(other),
            }
        }
        let mut text = String::new();
        html::push_html(&mut text, events.into_iter());
        text.replace("<img ", "<img loading=\"lazy\" ")
    }
}

/// The name of the model that a block is, where it is a whole one: it can be run in the page.
fn live(words: &[String], text: &str) -> Option<String> {
    let file = words.iter().find_map(|w| w.strip_prefix("file=")).map(str::to_string);
    let named =
        || text.lines().find_map(|l| l.strip_prefix("name")?.split('"').nth(1).map(|n| n.to_string() + ".toml"));
    words.iter().any(|w| w == "model").then(|| file.or_else(named).unwrap_or_else(|| "model.toml".to_string()))
}

fn raw(text: String) -> Event<'static> {
    Event::InlineHtml(CowStr::from(text))
}

/// Text as HTML, in which `Φ_v` and `d_ij` have subscripts: one letter, and one to three after the mark.
fn subscripts(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let small = |c: char| c.is_ascii_alphanumeric() || ('α'..='ω').contains(&c);
    let accent = |c: char| ('\u{300}'..='\u{36f}').contains(&c);
    let (mut out, mut plain, mut k) = (String::new(), String::new(), 0);
    while k < letters.len() {
        let mut base = k;
        while base > 0 && accent(letters[base - 1]) {
            base -= 1;
        }
        let alone = base > 0
            && letters[base - 1].is_alphabetic()
            && (base < 2 || !(letters[base - 2].is_ascii_alphanumeric() || letters[base - 2] == '_'));
        let length = letters[k + 1..].iter().take_while(|c| small(**c)).count();
        let ends = letters.get(k + 1 + length).is_none_or(|c| *c != '_');
        if letters[k] == '_' && alone && (1..=3).contains(&length) && ends {
            let sub: String = letters[k + 1..k + 1 + length].iter().collect();
            out += &format!("{}<sub>{}</sub>", escaped(&plain), escaped(&sub));
            plain.clear();
            k += 1 + length;
        } else {
            plain.push(letters[k]);
            k += 1;
        }
    }
    out + &escaped(&plain)
}

/// The name of a heading: small letters, digits, `-` and `_`; blanks become `-`; equals are numbered.
fn anchor(words: &str, taken: &mut HashMap<String, usize>) -> String {
    let kept =
        words.trim().to_lowercase().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>();
    let id = kept.replace(' ', "-");
    let count = taken.entry(id.clone()).and_modify(|n| *n += 1).or_insert(0);
    match *count {
        0 => id,
        n => format!("{id}-{n}"),
    }
}

/// A formula as MathML.
fn formula(text: &str, display: bool) -> Result<String, String> {
    let storage = Storage::new();
    let mut problem = None;
    let events: Vec<_> = pulldown_latex::Parser::new(text, &storage)
        .inspect(|event| {
            if let Err(error) = event {
                problem.get_or_insert_with(|| format!("formula '{text}': {error}"));
            }
        })
        .collect();
    if let Some(problem) = problem {
        return Err(problem);
    }
    let mode = if display { DisplayMode::Block } else { DisplayMode::Inline };
    let mut out = String::new();
    push_mathml(&mut out, events.into_iter(), RenderConfig { display_mode: mode, ..RenderConfig::default() })
        .map_err(|e| format!("formula '{text}': {e}"))?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_named_as_code_hosts_name_them() {
        let page =
            Page::new("a.md", "# One `two`\n## 10. Mobility and idle freedoms\n## `[run]`\n## `[run]`\n".to_string());
        let ids: Vec<&str> = page.headings.iter().map(|h| h.id.as_str()).collect();
        assert_eq!(ids, ["one-two", "10-mobility-and-idle-freedoms", "run", "run-1"]);
    }

    #[test]
    fn formulas_become_mathml_and_broken_ones_are_told_with_their_line() {
        let page = Page::new("a.md", "# A\n\n$\\Phi_q \\dot q = \\nu$\n\n$\\nosuch x$\n".to_string());
        assert_eq!(page.problems.len(), 1, "{:?}", page.problems);
        assert_eq!(page.problems[0].line, 5);
        let html = page.html(|_| None);
        assert!(html.contains("<math") && html.contains("Φ") && html.contains("msub"), "{html}");
    }

    #[test]
    fn letters_have_subscripts_and_words_do_not() {
        assert_eq!(subscripts("Φ_v v, d_ij < Q̇_k"), "Φ<sub>v</sub> v, d<sub>ij</sub> &lt; Q̇<sub>k</sub>");
        assert_eq!(subscripts("A_jᵀ A_i"), "A<sub>j</sub>ᵀ A<sub>i</sub>");
        for plain in ["base_link", "x_", "a_long", "_b", "h_before", "p_a_b"] {
            assert_eq!(subscripts(plain), plain);
        }
    }

    #[test]
    fn links_are_led_elsewhere_or_dropped() {
        let page = Page::new("a.md", "# A\n[b](b.md) and [c](c/)\n".to_string());
        let html = page.html(|l| l.target.ends_with(".md").then(|| "b.html".to_string()));
        assert!(html.contains("<a href=\"b.html\">b</a> and c"), "{html}");
    }
}
