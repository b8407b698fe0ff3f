//! What a message is about, from its bytes as they come: without holding it, and before anything is made of it.

use serde_json::Value;
use tower_lsp::jsonrpc::Id;

/// How deep keys are looked at: `params.textDocument.uri`.
const DEEP: usize = 3;

/// A key or a value longer than this is not looked at.
const WORD: usize = 4_096;

/// What each of these costs, once it is a [`Value`]: a value in a list, an entry of a map, and a map's first node.
const VALUE: usize = 32;
const ENTRY: usize = 96;
const MAP: usize = 640;

/// Reads JSON byte by byte. Of what is no JSON it says something, but never fails.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    depth: usize,
    /// Whether the levels that are looked at are maps, and the key that each is at.
    levels: [Level; DEEP + 1],
    /// Inside a string.
    quoted: bool,
    /// Behind a backslash.
    escaped: bool,
    /// The key or value that is being read.
    word: Vec<u8>,
    weight: usize,
    /// The value has ended.
    whole: bool,
    id: Option<Vec<u8>>,
    method: Option<Vec<u8>>,
    uri: Option<Vec<u8>>,
}

#[derive(Debug, Default)]
struct Level {
    is_map: bool,
    /// The key was read, its value comes.
    keyed: bool,
    key: Vec<u8>,
}

impl Outline {
    /// Takes what comes next. Stops behind the end of the first value, and says how many bytes it took.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while at < bytes.len() && !self.whole {
            if self.quoted && !self.escaped && !self.keeps() {
                // Nothing in it is looked at.
                match memchr::memchr2(b'"', b'\\', &bytes[at..]) {
                    Some(next) => at += next,
                    None => {
                        at = bytes.len();
                        break;
                    }
                }
            }
            self.take(bytes[at]);
            at += 1;
        }
        self.weight += at;
        at
    }

    fn take(&mut self, byte: u8) {
        if self.quoted {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.quoted = false,
                _ => {}
            }
            self.keep(byte);
            return;
        }
        match byte {
            b'"' => {
                self.quoted = true;
                self.keep(byte);
            }
            b'{' | b'[' => {
                self.word.clear();
                self.depth += 1;
                self.weight += VALUE;
                if byte == b'{' {
                    self.weight += MAP;
                }
                if self.depth <= DEEP {
                    self.levels[self.depth] = Level {
                        is_map: byte == b'{',
                        ..Level::default()
                    };
                }
            }
            b'}' | b']' => {
                self.end_of_value();
                self.depth = self.depth.saturating_sub(1);
                self.whole = self.depth == 0;
            }
            b',' => {
                self.weight += VALUE;
                self.end_of_value();
                if let Some(level) = self.levels.get_mut(self.depth) {
                    level.keyed = false;
                }
            }
            b':' => {
                self.weight += ENTRY;
                if let Some(level) = self.levels.get_mut(self.depth)
                    && level.is_map
                {
                    level.keyed = true;
                    level.key = std::mem::take(&mut self.word);
                }
                self.word.clear();
            }
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => self.keep(byte),
        }
    }

    fn keeps(&self) -> bool {
        self.depth <= DEEP && self.word.len() < WORD
    }

    fn keep(&mut self, byte: u8) {
        if self.keeps() {
            self.word.push(byte);
        }
    }

    fn end_of_value(&mut self) {
        let word = std::mem::take(&mut self.word);
        if word.is_empty() || word.len() >= WORD || self.depth > DEEP {
            return;
        }
        let levels = &self.levels[1..=self.depth];
        if !levels.iter().all(|l| l.is_map && l.keyed) {
            return;
        }
        let mut path = levels.iter().map(|l| &*l.key);
        match (path.next(), path.next(), path.next()) {
            (Some(b"\"id\""), None, None) => self.id = Some(word),
            (Some(b"\"method\""), None, None) => self.method = Some(word),
            (Some(b"\"params\""), Some(b"\"textDocument\""), Some(b"\"uri\"")) => {
                self.uri = Some(word);
            }
            _ => {}
        }
    }

    /// True behind the end of the value.
    pub(crate) fn is_whole(&self) -> bool {
        self.whole
    }

    /// About how many bytes of memory the message takes once it is read.
    pub(crate) fn weight(&self) -> usize {
        self.weight
    }

    pub(crate) fn id(&self) -> Option<Id> {
        serde_json::from_slice(self.id.as_deref()?).ok()
    }

    pub(crate) fn method(&self) -> Option<String> {
        serde_json::from_slice(self.method.as_deref()?).ok()
    }

    /// The document that it is about.
    pub(crate) fn uri(&self) -> Option<Value> {
        serde_json::from_slice(self.uri.as_deref()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn outline(message: &str) -> Outline {
        let mut outline = Outline::default();
        outline.feed(message.as_bytes());
        outline
    }

    fn said(message: &str) -> (Option<Id>, Option<String>, Option<Value>) {
        let it = outline(message);
        assert!(it.is_whole(), "{message}");
        (it.id(), it.method(), it.uri())
    }

    #[test]
    fn what_a_message_is_about_stands_anywhere() {
        let uri = Some(json!("file:///a\"b"));
        let expected = (Some(Id::Number(7)), Some("m/x".to_owned()), uri);
        for message in [
            r#"{"jsonrpc":"2.0","id":7,"method":"m/x","params":{"textDocument":{"uri":"file:///a\"b","text":"{\"id\":1}"}}}"#,
            r#" { "params" : { "a" : [ { "uri" : 1 } , [ ] ] , "textDocument" : { "text" : "}" , "uri" : "file:///a\"b" } } , "method" : "m/x" , "id" : 7 } "#,
            r#"{"method":"m/x","x":{"id":8,"method":"n"},"y":[{"id":9}],"params":{"textDocument":{"uri":"file:///a\"b"},"other":{"uri":"z"}},"id":7}"#,
        ] {
            assert_eq!(said(message), expected, "{message}");
        }
        let text = Some(Id::String("x-1".to_owned()));
        assert_eq!(said(r#"{"id":"x-1","result":null}"#), (text, None, None));
        assert_eq!(said("[1, {\"id\": 2}]"), (None, None, None));
        assert_eq!(said(r#"{"id":{"id":3}}"#), (None, None, None));
    }

    #[test]
    fn it_comes_in_pieces() {
        let message = r#"{"params":{"textDocument":{"uri":"u"},"deep":[[["a\\\"b]}"]]]},"id":3,"method":"m"}"#;
        for at in 0..message.len() {
            let mut pieces = Outline::default();
            let (before, after) = message.as_bytes().split_at(at);
            pieces.feed(before);
            pieces.feed(after);
            assert!(pieces.is_whole());
            assert_eq!(pieces.weight(), outline(message).weight());
            assert_eq!(pieces.id(), Some(Id::Number(3)));
            assert_eq!(pieces.uri(), Some(json!("u")));
        }
        assert_eq!(outline("{}{}").feed(b"{}"), 0);
        assert_eq!(Outline::default().feed(b"{}{}"), 2);
    }

    #[test]
    fn many_values_weigh_more_than_one_text() {
        let numbers = format!("[{}1]", "1,".repeat(1_000));
        let text = format!("[\"{}\"]", "1,".repeat(1_000));
        assert!(outline(&numbers).weight() > 1_000 * VALUE);
        assert!(outline(&text).weight() < 3_000);
    }
}
