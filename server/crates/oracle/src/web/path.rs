//! Paths: those that a handler says that it answers, and those that a request names.

/// What a method says that it answers: `/owners/{id:\d+}/pets/*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    segments: Vec<Segment>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    /// As it stands.
    Literal(String),
    /// What stands between wildcards: of `v{x}.json` that is `v` and `.json`.
    Wild { between: Vec<String>, digits: bool },
    /// `**`, `{*rest}`: all that follows.
    Rest,
}

/// Where a request goes, as far as its text says: a segment is known or it is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    segments: Vec<Option<String>>,
    /// The parameters that stand behind a question mark, with their values if these are known.
    pub parameters: Vec<(String, Option<String>)>,
}

/// Stands for a part of a text that is not known.
pub(crate) const UNKNOWN: char = '\u{0}';

impl Pattern {
    /// Reads a path.
    pub fn new(path: &str) -> Pattern {
        let segments = split(path);
        Pattern {
            segments: segments.iter().map(|s| Segment::of(s)).collect(),
        }
    }

    /// The text of the first segment, if it is one.
    pub fn first(&self) -> Option<&str> {
        match self.segments.first() {
            Some(Segment::Literal(text)) => Some(text),
            Some(_) => None,
            None => Some(""),
        }
    }

    /// How little it says, less being better: `**` first, then wildcards.
    pub fn vagueness(&self) -> (usize, usize) {
        let count = |f: &dyn Fn(&Segment) -> bool| self.segments.iter().filter(|s| f(s)).count();
        (
            count(&|s| matches!(s, Segment::Rest)),
            count(&|s| matches!(s, Segment::Wild { .. })),
        )
    }

    /// True if a request that goes there surely is one of these. What it does not say counts as a value, not as one of the
    /// words that another pattern has in that place.
    pub fn takes(&self, target: &Target) -> bool {
        let mut at = 0;
        for segment in &self.segments {
            let given = target.segments.get(at);
            let fits = match (segment, given) {
                (Segment::Rest, _) => return true,
                (_, None) => false,
                (Segment::Literal(text), Some(given)) => given.as_ref() == Some(text),
                (Segment::Wild { .. }, Some(None)) => true,
                (Segment::Wild { between, digits }, Some(Some(given))) => {
                    let is_number = || given.chars().all(|c| c.is_ascii_digit());
                    !given.is_empty() && (!digits || is_number()) && is_between(between, given)
                }
            };
            if !fits {
                return false;
            }
            at += 1;
        }
        at == target.segments.len()
    }
}

impl Segment {
    fn of(text: &str) -> Segment {
        if text == "**" || text.starts_with("{*") {
            return Segment::Rest;
        }
        let mut between = vec![String::new()];
        let (mut depth, mut digits, mut regex) = (0, false, String::new());
        for c in text.chars() {
            match c {
                '{' if depth == 0 => {
                    depth = 1;
                    regex.clear();
                }
                '{' => depth += 1,
                '}' if depth == 1 => {
                    depth = 0;
                    let of = regex.split_once(':').map_or("", |r| r.1.trim());
                    digits |= matches!(of, "\\d+" | "[0-9]+" | "\\d*" | "[\\d]+");
                    between.push(String::new());
                }
                '}' if depth > 1 => depth -= 1,
                '*' | '?' if depth == 0 => between.push(String::new()),
                c if depth > 0 => regex.push(c),
                c => between.last_mut().into_iter().for_each(|b| b.push(c)),
            }
        }
        match between.len() {
            1 => Segment::Literal(between.swap_remove(0)),
            _ => Segment::Wild {
                digits: digits && between.iter().all(String::is_empty),
                between,
            },
        }
    }
}

/// True if a text begins and ends with the outer parts, and has the others between, in order.
fn is_between(parts: &[String], text: &str) -> bool {
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
        return true;
    };
    let Some(mut rest) = text.strip_prefix(first.as_str()) else {
        return false;
    };
    for part in parts.iter().skip(1).take(parts.len().saturating_sub(2)) {
        match rest.find(part.as_str()) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last.as_str())
}

impl Target {
    /// Reads what a test gives as an address, in which [`UNKNOWN`] stands for what is not known. None if it may have any
    /// number of segments, or if nothing of it is known.
    pub fn new(address: &str) -> Option<Target> {
        let path = match address.split_once("://") {
            // Whose host and port it is, is not asked.
            Some((_, rest)) => &rest[rest.find('/').unwrap_or(rest.len())..],
            None => match address.strip_prefix(UNKNOWN) {
                Some(rest) if rest.starts_with('/') => rest,
                _ => address,
            },
        };
        let path = path.split('#').next().unwrap_or("");
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let mut segments = Vec::new();
        for segment in split(path) {
            let is_variable = segment.starts_with('{') && segment.ends_with('}');
            segments.push(match segment.as_str() {
                s if is_variable || s.chars().eq([UNKNOWN]) => None,
                // It may bring slashes with it.
                s if s.contains(UNKNOWN) => return None,
                s if s.contains('{') => None,
                _ => Some(segment),
            });
        }
        let parameters = query.split('&').filter(|p| !p.is_empty()).map(|p| {
            let (name, value) = p.split_once('=').unwrap_or((p, ""));
            let is_known = !value.contains([UNKNOWN, '{']);
            (name.to_owned(), is_known.then(|| value.to_owned()))
        });
        let parameters = parameters.collect();
        let is_known = segments.is_empty() || segments.iter().any(Option::is_some);
        is_known.then_some(Target {
            segments,
            parameters,
        })
    }

    /// The text of the first segment, if it is known.
    pub fn first(&self) -> Option<&str> {
        match self.segments.first() {
            Some(first) => first.as_deref(),
            None => Some(""),
        }
    }
}

/// The segments of a path; braces may hold slashes.
fn split(path: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut depth = 0;
    for c in path.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        match (c, depth) {
            ('/', 0) => out.push(String::new()),
            _ => out.last_mut().into_iter().for_each(|s| s.push(c)),
        }
    }
    out.retain(|s| !s.is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(pattern: &str, address: &str) -> bool {
        Target::new(address).is_some_and(|t| Pattern::new(pattern).takes(&t))
    }

    #[test]
    fn patterns_take_the_paths_that_they_name() {
        for (pattern, address) in [
            ("/owners/{id}", "/owners/7"),
            ("/owners/{id}", "/owners/{ownerId}"),
            ("/owners/{id}", "/owners/\u{0}"),
            ("/owners/{id:\\d+}/edit", "/owners/7/edit"),
            ("/owners", "/owners?page=1"),
            ("/owners", "http://localhost:\u{0}/owners"),
            ("/owners", "\u{0}/owners/"),
            ("/files/**", "/files/a/b"),
            ("/files/{*path}", "/files/a/b"),
            ("/v{version}.json", "/v2.json"),
            ("/a/*", "/a/b"),
            ("/{name:[a-z]{2,3}}", "/abc"),
            ("", "/"),
            ("owners", "/owners"),
        ] {
            assert!(takes(pattern, address), "{pattern} takes {address}");
        }
    }

    #[test]
    fn and_no_others() {
        for (pattern, address) in [
            ("/owners/{id}", "/owners"),
            ("/owners/{id}", "/owners/7/edit"),
            ("/owners/new", "/owners/{ownerId}"),
            ("/owners/{id:\\d+}", "/owners/new"),
            ("/owners", "/owners\u{0}"),
            ("/{id}", "\u{0}"),
            ("/{id}", "/{id}"),
            ("/v{version}.json", "/v2.xml"),
            ("/a/*", "/a/b/c"),
            ("/Owners", "/owners"),
        ] {
            assert!(
                !takes(pattern, address),
                "{pattern} does not take {address}"
            );
        }
    }

    #[test]
    fn what_says_more_is_less_vague() {
        let vague = |p: &str| Pattern::new(p).vagueness();
        assert!(vague("/a/b") < vague("/a/{x}"));
        assert!(vague("/a/{x}") < vague("/{y}/{x}"));
        assert!(vague("/{y}/{x}") < vague("/a/**"));
    }
}
