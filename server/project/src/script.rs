//! Gradle scripts, Groovy or Kotlin, as far as a scan without running them can see: statements with
//! the blocks around them.
//!
//! A statement is the tokens up to a line's end, a `;` or a brace, outside of parentheses and
//! brackets. This is no parser of either language; what it does not understand it passes over.

/// A word, a string or a character of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Word(String),
    /// The contents of a literal, `${…}` as written.
    Text(String),
    Mark(char),
}

impl Token {
    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(self, Token::Word(own) if own == word)
    }

    pub(crate) fn is_mark(&self, mark: char) -> bool {
        matches!(self, Token::Mark(own) if *own == mark)
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Token::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The word or the contents of the literal: `main` and `"main"` name the same source set.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Token::Word(name) | Token::Text(name) => Some(name),
            Token::Mark(_) => None,
        }
    }
}

/// A statement, with the heads of the blocks around it, outermost first.
pub(crate) struct Statement {
    pub(crate) blocks: Vec<Vec<Token>>,
    pub(crate) tokens: Vec<Token>,
}

/// The statements of `script` in order; the head of a block is a statement, too.
pub(crate) fn statements(script: &str) -> Vec<Statement> {
    /// Blocks nested deeper than this are no build script; their heads are left out.
    const DEEPEST: usize = 64;
    let mut out = Vec::new();
    let mut blocks: Vec<Vec<Token>> = Vec::new();
    // The depth of parentheses in each open block; the first is that of the file.
    let mut depths = vec![0_usize];
    let mut too_deep = 0_usize;
    let mut current: Vec<Token> = Vec::new();
    let mut lexer = Lexer {
        rest: script.strip_prefix('\u{feff}').unwrap_or(script),
    };
    let end = |current: &mut Vec<Token>, blocks: &[Vec<Token>], out: &mut Vec<Statement>| {
        if !current.is_empty() {
            out.push(Statement {
                blocks: blocks.to_vec(),
                tokens: std::mem::take(current),
            });
        }
    };
    while let Some(token) = lexer.next() {
        let depth = depths.last().copied().unwrap_or(0);
        match token {
            Token::Mark('\n' | ';') => {
                let goes_on = current
                    .last()
                    .is_some_and(|last| matches!(last, Token::Mark(',' | '.' | '=' | '+' | ':')));
                if depth == 0 && !goes_on {
                    end(&mut current, &blocks, &mut out);
                }
            }
            Token::Mark('{') => {
                if blocks.len() >= DEEPEST {
                    too_deep += 1;
                    continue;
                }
                let head = current.clone();
                end(&mut current, &blocks, &mut out);
                blocks.push(head);
                depths.push(0);
            }
            Token::Mark('}') => {
                if too_deep > 0 {
                    too_deep -= 1;
                    continue;
                }
                end(&mut current, &blocks, &mut out);
                if blocks.pop().is_some() {
                    depths.pop();
                }
            }
            token => {
                if let Some(depth) = depths.last_mut() {
                    match token {
                        Token::Mark('(' | '[') => *depth += 1,
                        Token::Mark(')' | ']') => *depth = depth.saturating_sub(1),
                        _ => {}
                    }
                }
                current.push(token);
            }
        }
    }
    end(&mut current, &blocks, &mut out);
    out
}

struct Lexer<'s> {
    rest: &'s str,
}

impl Lexer<'_> {
    fn next(&mut self) -> Option<Token> {
        loop {
            let c = self.rest.chars().next()?;
            if self.rest.starts_with("//") {
                self.rest = self.rest.find('\n').map_or("", |end| &self.rest[end..]);
            } else if self.rest.starts_with("/*") {
                self.rest = self.rest[2..]
                    .find("*/")
                    .map_or("", |end| &self.rest[end + 4..]);
            } else if c == '"' || c == '\'' {
                return Some(Token::Text(self.literal(c)));
            } else if c.is_alphanumeric() || c == '_' {
                let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
                let len = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
                let (word, rest) = self.rest.split_at(len);
                self.rest = rest;
                return Some(Token::Word(word.to_owned()));
            } else {
                self.rest = &self.rest[c.len_utf8()..];
                if c == '`' || (c.is_whitespace() && c != '\n') {
                    continue;
                }
                return Some(Token::Mark(c));
            }
        }
    }

    /// The literal that starts here with `quote`, single, or threefold over several lines.
    fn literal(&mut self, quote: char) -> String {
        let threefold = if quote == '"' { "\"\"\"" } else { "'''" };
        if let Some(body) = self.rest.strip_prefix(threefold) {
            let len = body.find(threefold).unwrap_or(body.len());
            self.rest = body.get(len + 3..).unwrap_or("");
            return body[..len].to_owned();
        }
        let body = &self.rest[1..];
        let mut text = String::new();
        // Braces open in `${…}`, where quotes do not end the literal.
        let mut open = 0_usize;
        let mut chars = body.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => text.extend(chars.next().map(|(_, c)| c)),
                // Not closed on its line: not a literal, perhaps a part of a regular expression.
                '\n' => {
                    self.rest = &body[at..];
                    return text;
                }
                _ if c == quote && open == 0 => {
                    self.rest = &body[at + 1..];
                    return text;
                }
                '$' if quote == '"' && chars.peek().is_some_and(|(_, c)| *c == '{') => {
                    chars.next();
                    open += 1;
                    text.push_str("${");
                }
                '}' if open > 0 => {
                    open -= 1;
                    text.push('}');
                }
                _ => text.push(c),
            }
        }
        self.rest = "";
        text
    }
}

/// The tokens between the parenthesis that `tokens` starts with and its partner.
pub(crate) fn in_parentheses(tokens: &[Token]) -> &[Token] {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Mark('(') => depth += 1,
            Token::Mark(')') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return &tokens[1..at];
                }
            }
            _ => {}
        }
    }
    tokens.get(1..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(script: &str) -> Vec<String> {
        let show = |tokens: &[Token]| {
            let words = tokens.iter().map(|token| match token {
                Token::Word(word) => word.clone(),
                Token::Text(text) => format!("'{text}'"),
                Token::Mark(mark) => mark.to_string(),
            });
            words.collect::<Vec<_>>().join(" ")
        };
        let line = |statement: &Statement| {
            let blocks = statement.blocks.iter().map(|block| show(block) + " > ");
            blocks.collect::<String>() + &show(&statement.tokens)
        };
        statements(script).iter().map(line).collect()
    }

    #[test]
    fn statements_know_their_blocks() {
        let script = "a { // {\n  b 'x',\n    \"y\" /* } */\n  c(\n 1\n)\n}\nd";
        assert_eq!(shown(script), ["a", "a > b 'x' , 'y'", "a > c ( 1 )", "d"]);
    }

    #[test]
    fn literals() {
        assert_eq!(
            shown(r#"a "x${f("y")}z" + 'it\'s'"#),
            [r#"a 'x${f("y")}z' + 'it's'"#]
        );
        assert_eq!(shown("a '''x\n'y''' b"), ["a 'x\n'y' b"]);
        assert_eq!(shown("a 'never\nb"), ["a 'never'", "b"]);
    }

    #[test]
    fn half_a_script_does_no_harm() {
        let script = "a { b 'ä', \"${x(\"y\")}\" }\n/* ö */ c '''d\\''' // e\n";
        for end in (0..=script.len()).filter(|end| script.is_char_boundary(*end)) {
            let found = statements(&script[..end]);
            assert!(end == 0 || found[0].tokens == [Token::Word("a".to_owned())]);
        }
    }

    #[test]
    fn unbalanced_braces_do_no_harm() {
        assert_eq!(shown("}}) a {{{ b"), [") a", ") a >  >  > b"]);
        assert!(statements(&"{".repeat(100_000)).is_empty());
    }
}
