//! What annotations say: `@RequestMapping(path = {"/owners", BASE + "/o"}, method = POST)`. Their arguments are read as text;
//! constants in them are asked of whoever knows what names mean.

use super::Verb;
use program::Told;

/// What an annotation says of the requests that a method answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mapping {
    /// Any, if there is none.
    pub verbs: Vec<Verb>,
    /// That of the class alone, if there is none.
    pub paths: Vec<String>,
    /// Parameters that a request has (`form`, `a=b`) or lacks (`!form`).
    pub params: Vec<String>,
    /// What it takes, as written.
    pub consumes: Vec<String>,
    /// What it gives, as written.
    pub produces: Vec<String>,
    /// There are further conditions.
    pub is_narrow: bool,
}

/// One argument of an annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument<'a> {
    /// Its name; `value` where none is written.
    pub name: &'a str,
    /// What is given, as written: a value, or several in braces.
    pub value: &'a str,
}

impl<'a> Argument<'a> {
    /// The values of a list, or the one.
    pub fn values(self) -> Vec<&'a str> {
        let inner = self.value.strip_prefix('{');
        match inner.and_then(|v| v.trim_end().strip_suffix('}')) {
            Some(list) => top_level(list, ',')
                .into_iter()
                .map(str::trim)
                .filter(|v| !v.is_empty())
                .collect(),
            None => vec![self.value],
        }
    }
}

/// The arguments of an annotation.
pub fn arguments_of(text: &str) -> Vec<Argument<'_>> {
    let parts = top_level(text, ',').into_iter().map(str::trim);
    let arguments = parts.filter(|p| !p.is_empty()).map(|part| {
        let name = part.split('=').next().unwrap_or("").trim();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        match part.split_once('=').filter(|_| is_name) {
            Some((_, value)) => Argument {
                name,
                value: value.trim(),
            },
            None => Argument {
                name: "value",
                value: part,
            },
        }
    });
    arguments.collect()
}

/// Whose annotations say which method answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Router {
    /// `@GetMapping("/owners")`.
    Spring,
    /// `@GET @Path("owners")`.
    JaxRs,
}

/// The ending of Spring's annotations that say what a method answers, and the beginning of the one that says no verb.
const MAPPING: &str = "Mapping";
const ANY_VERB: &str = "Request";

/// The annotation of JAX-RS that says a path.
const PATH: &str = "Path";

/// True for the annotation by which Spring, as it did before 6, takes a class for one that answers requests.
pub fn maps_class(annotation: &str) -> bool {
    annotation.strip_suffix(MAPPING) == Some(ANY_VERB)
}

/// True for the annotation of a class that answers requests by JAX-RS.
pub fn is_resource(annotation: &str) -> bool {
    annotation == PATH
}

/// True for the annotation that says below which path an application answers by JAX-RS.
pub fn is_application(annotation: &str) -> bool {
    annotation == "ApplicationPath"
}

/// True for the annotations of a method that Spring asks before each request, and that answers none itself.
pub fn prepares_model(told: &[Told]) -> bool {
    let answers = |t: &Told| t.annotation.ends_with(MAPPING);
    told.iter().any(|t| t.annotation == "ModelAttribute") && !told.iter().any(answers)
}

/// Whose annotations a method or class has; none if they say nothing of requests.
pub fn router_of(told: &[Told]) -> Option<Router> {
    let is_mapping = |t: &Told| t.annotation.ends_with(MAPPING);
    let is_jax_rs = |t: &Told| t.annotation == PATH || jax_rs_verb(t).is_some();
    match told {
        told if told.iter().any(is_mapping) => Some(Router::Spring),
        told if told.iter().any(is_jax_rs) => Some(Router::JaxRs),
        _ => None,
    }
}

/// `@GET`: in capitals.
fn jax_rs_verb(told: &Told) -> Option<Verb> {
    Verb::of(&told.annotation).filter(|v| v.name() == told.annotation)
}

/// What the annotations of a method or class say of requests; none if they are no such annotations, or if what they say is not
/// known. `constant` says what a name stands for.
pub fn mapping_of(told: &[Told], constant: &dyn Fn(&str) -> Option<String>) -> Option<Mapping> {
    let out = match router_of(told)? {
        Router::Spring => {
            let mut all = told.iter();
            spring(all.find(|t| t.annotation.ends_with(MAPPING))?, constant)?
        }
        Router::JaxRs => jax_rs(told, constant)?,
    };
    // What a property says is not known.
    let is_known = |p: &String| !p.contains("${") && !p.contains("#{");
    out.paths.iter().all(is_known).then_some(out)
}

fn jax_rs(told: &[Told], constant: &dyn Fn(&str) -> Option<String>) -> Option<Mapping> {
    let mut out = Mapping {
        verbs: told.iter().filter_map(jax_rs_verb).collect(),
        ..Mapping::default()
    };
    for t in told {
        let values = || {
            let all = arguments_of(&t.arguments).into_iter();
            all.flat_map(Argument::values)
        };
        match t.annotation.as_str() {
            PATH => {
                out.paths = values()
                    .map(|v| text_of(v, constant))
                    .collect::<Option<_>>()?
            }
            "Consumes" => out.consumes = values().map(media).collect(),
            "Produces" => out.produces = values().map(media).collect(),
            _ => {}
        }
    }
    Some(out)
}

fn spring(told: &Told, constant: &dyn Fn(&str) -> Option<String>) -> Option<Mapping> {
    let verb = told.annotation.strip_suffix(MAPPING)?;
    let mut out = Mapping::default();
    match verb {
        ANY_VERB => {}
        _ => out.verbs.push(Verb::of(verb)?),
    }
    for argument in arguments_of(&told.arguments) {
        let texts = || -> Option<Vec<String>> {
            let values = argument.values().into_iter();
            values.map(|v| text_of(v, constant)).collect()
        };
        match argument.name {
            "value" | "path" => out.paths = texts()?,
            "params" => out.params = texts()?,
            "method" => {
                let names = argument.values().into_iter();
                let verbs = names.map(|v| Verb::of(v.rsplit('.').next().unwrap_or(v).trim()));
                out.verbs = verbs.collect::<Option<_>>()?;
            }
            "consumes" => out.consumes = argument.values().iter().map(|v| media(v)).collect(),
            "produces" => out.produces = argument.values().iter().map(|v| media(v)).collect(),
            "name" => {}
            _ => out.is_narrow = true,
        }
    }
    Some(out)
}

/// What is sent in parts, as [`media`] calls it.
pub const MULTIPART: &str = "MULTIPART_FORM_DATA";

/// A media type as it is called: `APPLICATION_JSON` for `MediaType.APPLICATION_JSON_VALUE` and for `application/json`.
pub fn media(written: &str) -> String {
    let last = match written.trim().strip_prefix('"') {
        Some(text) => text.split([';', '"']).next().unwrap_or(""),
        None => written.rsplit('.').next().unwrap_or("").trim(),
    };
    // As REST Assured calls them.
    let name = match last.strip_suffix("_VALUE").unwrap_or(last) {
        "JSON" => "APPLICATION_JSON",
        "XML" => "APPLICATION_XML",
        "TEXT" => "TEXT_PLAIN",
        "HTML" => "TEXT_HTML",
        "URLENC" => "APPLICATION_X_WWW_FORM_URLENCODED",
        "BINARY" => "APPLICATION_OCTET_STREAM",
        name => name,
    };
    let letters = name.chars().map(|c| match c {
        c if c.is_alphanumeric() => c.to_ascii_uppercase(),
        _ => '_',
    });
    letters.collect()
}

/// The text that an expression of constants is.
pub fn text_of(written: &str, constant: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let mut out = String::new();
    for part in top_level(written, '+') {
        let part = part.trim();
        match part.strip_prefix('"') {
            Some(_) => out.push_str(&unquoted(part)?),
            None => out.push_str(&constant(part)?),
        }
    }
    Some(out)
}

/// What a string literal says; none of one with an escape that is no plain character.
pub fn unquoted(literal: &str) -> Option<String> {
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => return None,
            '\\' => match chars.next()? {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                'r' => out.push('\r'),
                c @ ('\\' | '"' | '\'') => out.push(c),
                _ => return None,
            },
            c => out.push(c),
        }
    }
    Some(out)
}

/// A text cut at a character where no bracket and no literal is open.
fn top_level(text: &str, at: char) -> Vec<&str> {
    let (mut out, mut start, mut depth) = (Vec::new(), 0, 0i32);
    let mut quoted = None;
    let mut escaped = false;
    for (i, c) in text.char_indices() {
        match (quoted, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(q), c) => quoted = (q != c).then_some(q),
            (None, '"' | '\'') => quoted = Some(c),
            (None, '(' | '{' | '[' | '<') => depth += 1,
            (None, ')' | '}' | ']' | '>') => depth -= 1,
            (None, c) if c == at && depth == 0 => {
                out.push(&text[start..i]);
                start = i + c.len_utf8();
            }
            (None, _) => {}
        }
    }
    out.push(&text[start..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapping(annotation: &str, arguments: &str) -> Option<Mapping> {
        let told = Told {
            annotation: annotation.into(),
            arguments: arguments.into(),
        };
        mapping_of(std::slice::from_ref(&told), &|name| {
            (name == "Paths.BASE").then(|| "/api".to_owned())
        })
    }

    #[test]
    fn what_annotations_say_is_read() {
        let of = |paths: &[&str], verbs: &[Verb]| {
            let paths: Vec<String> = paths.iter().map(|p| (*p).to_owned()).collect();
            Some((paths, verbs.to_vec()))
        };
        let read = |a, t| mapping(a, t).map(|m| (m.paths, m.verbs));
        assert_eq!(read("GetMapping", ""), of(&[], &[Verb::Get]));
        assert_eq!(
            read("GetMapping", "\"/a,{b}\""),
            of(&["/a,{b}"], &[Verb::Get])
        );
        assert_eq!(
            read(
                "RequestMapping",
                "path = { \"/a\", Paths.BASE + \"/b\" }, method = {RequestMethod.PUT, POST}"
            ),
            of(&["/a", "/api/b"], &[Verb::Put, Verb::Post])
        );
        let all = mapping(
            "PostMapping",
            "value=\"/a\", params=\"!x\", consumes=MediaType.APPLICATION_JSON_VALUE, produces={\"application/json\"}, headers=\"x\"",
        );
        let all = all.map(|m| (m.params, m.consumes, m.produces, m.is_narrow));
        let json = || vec!["APPLICATION_JSON".to_owned()];
        assert_eq!(all, Some((vec!["!x".to_owned()], json(), json(), true)));
    }

    #[test]
    fn what_is_not_known_is_no_mapping() {
        assert_eq!(mapping("GetMapping", "OTHER"), None);
        assert_eq!(mapping("GetMapping", "\"${base}/a\""), None);
        assert_eq!(mapping("ModelAttribute", "\"a\""), None);
        assert_eq!(mapping("RequestMapping", "method = other()"), None);
    }
}
