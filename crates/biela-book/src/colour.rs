//! Colours of code blocks: comments, strings, headings of tables, and the commands of a console.

use crate::escaped;

/// A block's text as HTML.
pub fn html(language: &str, text: &str) -> String {
    let line: fn(&str) -> String = match language {
        "toml" | "python" | "sh" | "csv" => code,
        "console" => console,
        _ => return escaped(text),
    };
    text.lines().map(|l| line(l) + "\n").collect()
}

fn span(class: &str, text: &str) -> String {
    format!("<span class=\"{class}\">{}</span>", escaped(text))
}

/// Commands stand out; what they print steps back.
fn console(line: &str) -> String {
    match line.strip_prefix("$ ") {
        Some(command) => format!("<span class=\"prompt\">$ </span>{}", span("command", command)),
        None => escaped(line),
    }
}

/// A line of a language with `#` comments and quoted strings.
fn code(line: &str) -> String {
    let start = line.trim_start();
    if start.starts_with('[') && start.trim_end().ends_with(']') && !start.contains(',') && !start.contains('"') {
        return span("table", line);
    }
    let (mut out, mut plain, mut rest) = (String::new(), String::new(), line);
    while let Some(c) = rest.chars().next() {
        let end = match c {
            '#' => Some((rest.len(), "comment")),
            '"' | '\'' => rest[1..].find(c).map(|k| (k + 2, "string")),
            _ => None,
        };
        let Some((end, class)) = end else {
            plain.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        out.push_str(&escaped(&plain));
        plain.clear();
        out.push_str(&span(class, &rest[..end]));
        rest = &rest[end..];
    }
    out + &escaped(&plain)
}

#[cfg(test)]
mod tests {
    #[test]
    fn text_stays_what_it_is() {
        let text = "[run]\nend = \"1 # s\" # <end>\na = 'x\nb = [\"a\", 2]\n";
        let html = super::html("toml", text);
        let bare: String = html.split('<').map(|p| p.split_once('>').map_or(p, |(_, r)| r)).collect();
        let bare = bare.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
        assert_eq!(bare, text);
        assert!(html.contains("<span class=\"string\">&quot;1 # s&quot;</span>"), "{html}");
        assert!(html.contains("<span class=\"comment\"># &lt;end&gt;</span>"), "{html}");
    }
}
