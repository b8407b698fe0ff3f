//! The libraries that Gradle's build scripts name, and the variables that they name versions with.

use crate::gradle::{in_parentheses, source_set_of};
use crate::module::{Library, Notation, Role};
use crate::script::{Statement, Token};

/// The libraries of one statement.
pub(crate) fn libraries(statement: &Statement, in_dependencies: bool) -> Vec<Library> {
    let tokens = &statement.tokens;
    if let Some(bill) = bill_of_materials(statement) {
        return vec![Library {
            from: "main".to_owned(),
            notation: Notation::Coordinates(bill),
            role: Role::Platform,
        }];
    }
    let configuration = match tokens.first() {
        Some(first) if first.is_word("add") => tokens.iter().find_map(Token::text),
        Some(first) => first.name(),
        None => None,
    };
    let Some(configuration) =
        configuration.filter(|name| in_dependencies && is_configuration(name))
    else {
        return Vec::new();
    };
    let (from, _) = source_set_of(configuration);
    let lower = configuration.to_ascii_lowercase();
    let in_constraints = statement
        .blocks
        .iter()
        .any(|head| head.last().is_some_and(|last| last.is_word("constraints")));
    let role = if in_constraints {
        Role::Platform
    } else if lower.ends_with("annotationprocessor") || lower.contains("kapt") {
        Role::Processor
    } else {
        Role::Classes
    };
    let library = |notation, role| Library {
        from: from.clone(),
        notation,
        role,
    };
    if let Some(coordinates) = by_parts(tokens) {
        return vec![library(Notation::Coordinates(coordinates), role)];
    }
    let mut out = Vec::new();
    // Up to where what is named only tells versions.
    let mut platform_until = 0;
    let mut at = 1;
    while let Some(token) = tokens.get(at) {
        let behind = tokens.get(at + 1);
        let follows = |mark| behind.is_some_and(|next| next.is_mark(mark));
        let here = if at < platform_until {
            Role::Platform
        } else {
            role
        };
        match token {
            Token::Word(word) if follows('(') => {
                let arguments = in_parentheses(&tokens[at + 1..]);
                let mut texts = arguments.iter().filter_map(Token::text);
                let end = at + 2 + arguments.len();
                match word.as_str() {
                    "platform" | "enforcedPlatform" => platform_until = end,
                    "project" => at = end,
                    "files" => {
                        out.extend(texts.map(|t| library(Notation::File(t.to_owned()), here)));
                        at = end;
                    }
                    "fileTree" => {
                        let dir = arguments.iter().position(|t| t.is_word("dir"));
                        let dir = dir.and_then(|dir| arguments.get(dir + 2)?.text());
                        let folder = dir.or_else(|| texts.next());
                        out.extend(folder.map(|f| library(Notation::Folder(f.to_owned()), here)));
                        at = end;
                    }
                    _ => {}
                }
            }
            Token::Word(_) if follows('.') => {
                let (name, length) = dotted(&tokens[at..]);
                if !name.starts_with("projects.") {
                    out.push(library(Notation::Name(name), here));
                }
                at += length - 1;
            }
            Token::Word(word) if at == 1 && behind.is_none() => {
                out.push(library(Notation::Name(word.clone()), here));
            }
            Token::Text(text) if is_coordinates(text) => {
                out.push(library(Notation::Coordinates(text.clone()), here));
            }
            _ => {}
        }
        at += 1;
    }
    out
}

/// What a plugin or the dependency management plugin imports: `mavenBom "g:a:v"`, and the bill of materials that
/// Spring Boot's plugin of a version brings along.
fn bill_of_materials(statement: &Statement) -> Option<String> {
    let tokens = &statement.tokens;
    if tokens.first().is_some_and(|t| t.is_word("mavenBom")) {
        return tokens.iter().find_map(Token::text).map(str::to_owned);
    }
    let in_plugins = statement
        .blocks
        .last()
        .is_some_and(|head| head.first().is_some_and(|first| first.is_word("plugins")));
    let version = tokens.iter().position(|t| t.is_word("version"))?;
    if in_plugins
        && tokens
            .iter()
            .any(|t| t.text() == Some("org.springframework.boot"))
    {
        let version = tokens[version..].iter().find_map(Token::text)?;
        return Some(format!(
            "org.springframework.boot:spring-boot-dependencies:{version}"
        ));
    }
    None
}

/// True for what has the form of a configuration that holds libraries of sources.
fn is_configuration(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "implementation",
        "api",
        "compile",
        "compileOnly",
        "compileOnlyApi",
        "runtime",
        "runtimeOnly",
        "provided",
        "providedCompile",
        "providedRuntime",
        "optional",
        "shadow",
        "developmentOnly",
        "annotationProcessor",
        "kapt",
        "add",
    ];
    const ENDS: &[&str] = &[
        "Implementation",
        "Api",
        "Compile",
        "CompileOnly",
        "Runtime",
        "RuntimeOnly",
        "AnnotationProcessor",
    ];
    NAMES.contains(&name) || ENDS.iter().any(|end| name.ends_with(end)) || name.starts_with("kapt")
}

/// `group: 'g', name: 'a', version: 'v'`, in Groovy's or Kotlin's form.
fn by_parts(tokens: &[Token]) -> Option<String> {
    let part = |name: &str| {
        let at = tokens.iter().position(|token| token.is_word(name))?;
        let is_assigned = tokens
            .get(at + 1)
            .is_some_and(|t| t.is_mark(':') || t.is_mark('='));
        if !is_assigned {
            return None;
        }
        match tokens.get(at + 2)? {
            Token::Text(text) => Some(text.clone()),
            // A variable, as `"$name"` would have it.
            Token::Word(_) => Some(format!("${{{}}}", dotted(&tokens[at + 2..]).0)),
            Token::Mark(_) => None,
        }
    };
    let (group, name) = (part("group")?, part("name")?);
    let version = part("version").map_or(String::new(), |version| format!(":{version}"));
    let classifier = part("classifier").map_or(String::new(), |c| format!(":{c}"));
    Some(format!("{group}:{name}{version}{classifier}"))
}

/// `group:name`, `group:name:version:classifier@extension`.
fn is_coordinates(text: &str) -> bool {
    let mut parts = 0;
    let filled = text.split(':').take(2).all(|part| {
        parts += 1;
        !part.is_empty() && !part.contains(['/', '\\', ' '])
    });
    filled && parts == 2
}

/// The dotted name that `tokens` start with, and how many tokens it has; what only asks for its value is left out.
fn dotted(tokens: &[Token]) -> (String, usize) {
    let mut name = String::new();
    let mut length = 0;
    for (index, token) in tokens.iter().enumerate() {
        match token {
            Token::Word(word) if index % 2 == 0 => {
                length = index + 1;
                if matches!(word.as_str(), "get" | "asProvider") {
                    continue;
                }
                if !name.is_empty() {
                    name.push('.');
                }
                name.push_str(word);
            }
            Token::Mark('.') if index % 2 == 1 => {}
            _ => break,
        }
    }
    (name, length.max(1))
}

/// The names that a statement gives to texts: `ext.x = '1'`, `def x = '1'`, `val x by extra("1")`, `set("x", "1")`,
/// and those of a map, `ext.versions = [a: '1']`, as `versions.a`.
pub(crate) fn variables(tokens: &[Token], blocks: &[Vec<Token>]) -> Vec<(String, String)> {
    /// What may stand before a name, or around it.
    const FILLERS: &[&str] = &[
        "ext",
        "extra",
        "project",
        "rootProject",
        "def",
        "val",
        "var",
        "String",
        "final",
        "const",
    ];
    let is_filler = |name: &str| FILLERS.contains(&name);
    if let [
        Token::Word(set),
        Token::Mark('('),
        Token::Text(name),
        Token::Mark(','),
        Token::Text(value),
        ..,
    ] = tokens
        && matches!(set.as_str(), "set" | "extra")
    {
        return vec![(name.clone(), value.clone())];
    }
    // Only what a script says for itself: in blocks of plugins names mean other things.
    let own = blocks.iter().all(|head| {
        head.first()
            .and_then(Token::name)
            .is_some_and(|name| is_filler(name) || matches!(name, "allprojects" | "subprojects"))
    });
    let assigned = tokens
        .iter()
        .position(|t| t.is_mark('=') || t.is_word("by"))
        .filter(|_| own);
    let Some(assigned) = assigned else {
        return Vec::new();
    };
    let (names, values) = (&tokens[..assigned], &tokens[assigned + 1..]);
    let words: Vec<&str> = names
        .iter()
        .filter_map(Token::name)
        .skip_while(|name| is_filler(name))
        .collect();
    let name = words.join(".");
    if name.is_empty() {
        return Vec::new();
    }
    match values {
        [Token::Text(value)] => vec![(name, value.clone())],
        [
            Token::Word(extra),
            Token::Mark('('),
            Token::Text(value),
            Token::Mark(')'),
        ] if extra == "extra" => {
            vec![(name, value.clone())]
        }
        [Token::Mark('['), ..] => {
            let entries = values.windows(3).filter_map(|window| match window {
                [key, Token::Mark(':'), Token::Text(value)] => {
                    Some((format!("{name}.{}", key.name()?), value.clone()))
                }
                _ => None,
            });
            entries.collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::statements;

    fn shown(script: &str) -> Vec<String> {
        let mut out = Vec::new();
        for statement in statements(script) {
            let inside = |head: &Vec<Token>| head.last().is_some_and(|t| t.is_word("dependencies"));
            let inside = statement.blocks.iter().any(inside);
            for library in libraries(&statement, inside) {
                let role = match library.role {
                    Role::Classes => "",
                    Role::Platform => " platform",
                    Role::Processor => " processor",
                };
                out.push(format!("{} {:?}{role}", library.from, library.notation));
            }
            for (name, value) in variables(&statement.tokens, &statement.blocks) {
                out.push(format!("{name} = {value}"));
            }
        }
        out
    }

    #[test]
    fn libraries_in_all_spellings() {
        let script = r#"
            ext { junit = '4.13'; versions = [guava: '33', 'io': "2"] }
            def own = "1"
            val other by extra("2")
            extra["third"] = "3"
            sourceCompatibility = '17'
            plugins { id 'org.springframework.boot' version '3.2.1' }
            dependencies {
                implementation "com.google.guava:guava:${versions.guava}"
                testImplementation(platform("org.junit:junit-bom:5.10.0"))
                testImplementation 'org.junit.jupiter:junit-jupiter'
                api group: 'commons-io', name: 'commons-io', version: own
                implementation(libs.commons.lang3.get())
                implementation libs.bundles.logging, 'a:b:1@jar'
                annotationProcessor 'org.mapstruct:mapstruct-processor:1.5'
                implementation project(':core')
                implementation files('libs/a.jar')
                implementation fileTree(dir: 'libs', include: ['*.jar'])
                implementation('x:y:1') { exclude group: 'z', module: 'q' }
                constraints { implementation 'c:d:9' }
                because 'no:library'
            }
            dependencyManagement { imports { mavenBom "m:bom:1" } }
        "#;
        expect_test::expect![[r#"
            junit = 4.13
            versions.guava = 33
            versions.io = 2
            own = 1
            other = 2
            third = 3
            sourceCompatibility = 17
            main Coordinates("org.springframework.boot:spring-boot-dependencies:3.2.1") platform
            main Coordinates("com.google.guava:guava:${versions.guava}")
            test Coordinates("org.junit:junit-bom:5.10.0") platform
            test Coordinates("org.junit.jupiter:junit-jupiter")
            main Coordinates("commons-io:commons-io:${own}")
            main Name("libs.commons.lang3")
            main Name("libs.bundles.logging")
            main Coordinates("a:b:1@jar")
            main Coordinates("org.mapstruct:mapstruct-processor:1.5") processor
            main File("libs/a.jar")
            main Folder("libs")
            main Coordinates("x:y:1")
            main Coordinates("c:d:9") platform
            main Coordinates("m:bom:1") platform"#]]
        .assert_eq(&shown(script).join("\n"));
    }
}
