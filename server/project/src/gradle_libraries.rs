//! The libraries that Gradle's build scripts name, and the variables that they name versions with.

use crate::module::{Library, Notation, Role};
use crate::script::{Statement, Token, in_parentheses};

/// The libraries of one statement.
pub(crate) fn libraries(statement: &Statement, in_dependencies: bool) -> Vec<Library> {
    let tokens = &statement.tokens;
    if let Some(notation) = bill_of_materials(statement).or_else(|| managed(statement)) {
        return vec![Library {
            from: "main".to_owned(),
            notation,
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

/// What of the libraries of one statement of `dependencies` is not known yet: the names that stand for something elsewhere, and none
/// where a library was asked for and nothing was understood. Nothing if all is known, or other sources are asked for.
pub(crate) fn asked(statement: &Statement, libraries: &[Library]) -> Option<Vec<String>> {
    let tokens = &statement.tokens;
    let is_asking = tokens
        .first()
        .and_then(Token::name)
        .is_some_and(is_configuration);
    let is_own = |t: &Token| {
        ["project", "projects", "sourceSets"]
            .iter()
            .any(|w| t.is_word(w))
    };
    if !is_asking || tokens.len() < 2 || tokens.iter().any(is_own) {
        return None;
    }
    let names: Vec<String> = libraries
        .iter()
        .filter_map(|library| match &library.notation {
            Notation::Name(name) => Some(name.clone()),
            _ => None,
        })
        .collect();
    (libraries.is_empty() || !names.is_empty()).then_some(names)
}

/// A statement on one line.
pub(crate) fn written(tokens: &[Token]) -> String {
    let mut out = String::new();
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let is_apart = matches!(
            (before, token),
            (Some(Token::Mark(',' | ':' | '=' | '+')), _)
                | (_, Token::Mark('=' | '+'))
                | (
                    Some(Token::Word(_) | Token::Text(_)),
                    Token::Word(_) | Token::Text(_)
                )
        );
        if is_apart {
            out.push(' ');
        }
        match token {
            Token::Word(word) => out.push_str(word),
            Token::Text(text) => out.push_str(&format!("\"{text}\"")),
            Token::Mark(mark) => out.push(*mark),
        }
    }
    out
}

/// The plugin that brings the versions of Spring Boot's bill of materials along.
pub(crate) const SPRING_BOOT: &str = "org.springframework.boot";

/// The bill of materials of a version of Spring Boot.
pub(crate) fn spring_boot(version: &str) -> String {
    format!("{SPRING_BOOT}:spring-boot-dependencies:{version}")
}

/// What a plugin or the dependency management plugin imports: `mavenBom "g:a:v"`, and the bill of materials that
/// Spring Boot's plugin of a version brings along, named by itself, by a catalog, or among the libraries of the build.
fn bill_of_materials(statement: &Statement) -> Option<Notation> {
    let tokens = &statement.tokens;
    let text = || tokens.iter().find_map(Token::text);
    if tokens.first().is_some_and(|t| t.is_word("mavenBom")) {
        return text().map(|text| Notation::Coordinates(text.to_owned()));
    }
    let is_in = |name: &str| {
        let mut heads = statement.blocks.iter();
        heads.any(|head| head.first().is_some_and(|first| first.is_word(name)))
    };
    if is_in("buildscript") {
        let version =
            text()?.strip_prefix("org.springframework.boot:spring-boot-gradle-plugin:")?;
        return Some(Notation::Coordinates(spring_boot(version)));
    }
    if !is_in("plugins") {
        return None;
    }
    if let [Token::Word(alias), Token::Mark('('), rest @ ..] = &tokens[..]
        && alias == "alias"
    {
        return Some(Notation::Name(dotted(rest).0));
    }
    let at = tokens.iter().position(|t| t.is_word("version"))?;
    if !tokens.iter().any(|t| t.text() == Some(SPRING_BOOT)) {
        return None;
    }
    let version = match tokens.get(at + 1..)? {
        [Token::Word(_), ..] => format!("${{{}}}", dotted(&tokens[at + 1..]).0),
        rest => rest.iter().find_map(Token::text)?.to_owned(),
    };
    Some(Notation::Coordinates(spring_boot(&version)))
}

/// What `dependencyManagement { dependencies { … } }` of Spring's plugin manages: `dependency 'g:a:v'`, and
/// `dependencySet(group: 'g', version: 'v') { entry 'a' }`.
fn managed(statement: &Statement) -> Option<Notation> {
    let mut heads = statement.blocks.iter();
    heads.find(|head| {
        head.last()
            .is_some_and(|last| last.is_word("dependencyManagement"))
    })?;
    let (first, text) = (
        statement.tokens.first()?,
        statement.tokens.iter().find_map(Token::text),
    );
    if first.is_word("dependency") {
        let coordinates = by_parts(&statement.tokens).or_else(|| text.map(str::to_owned))?;
        return Some(Notation::Coordinates(coordinates));
    }
    let set = statement.blocks.last()?;
    if !first.is_word("entry") || !set.first()?.is_word("dependencySet") {
        return None;
    }
    let (group, version) = match set.iter().find_map(Token::text).filter(|t| t.contains(':')) {
        // `dependencySet("g:v")`.
        Some(both) => both
            .split_once(':')
            .map(|(g, v)| (g.to_owned(), v.to_owned()))?,
        None => (part(set, "group")?, part(set, "version")?),
    };
    Some(Notation::Coordinates(format!(
        "{group}:{}:{version}",
        text?
    )))
}

/// The value of `name: 'x'` or `name = "x"`.
fn part(tokens: &[Token], name: &str) -> Option<String> {
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
    let part = |name| part(tokens, name);
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

/// The source set that a configuration belongs to, and whether those that depend on it see what it
/// names: `implementation` → `main`, `integrationTestApi` → `integrationTest`.
pub(crate) fn source_set_of(configuration: &str) -> (String, bool) {
    const KINDS: &[&str] = &[
        "Implementation",
        "Api",
        "CompileOnlyApi",
        "CompileOnly",
        "RuntimeOnly",
        "AnnotationProcessor",
        "Compile",
        "Runtime",
    ];
    let set = KINDS
        .iter()
        .find_map(|kind| configuration.strip_suffix(kind));
    let set = set.filter(|set| !set.is_empty());
    let exported = !configuration.ends_with("Only") && !configuration.ends_with("rocessor");
    match set {
        Some(set) => (set.to_owned(), exported),
        None if configuration.starts_with("test") => ("test".to_owned(), exported),
        None => ("main".to_owned(), exported),
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
    fn what_was_not_understood_is_what_is_written() {
        let script = r#"
            implementation 'wrong:place:1'
            dependencies {
                implementation "com.google.guava:guava:33"
                implementation(library.foo)
                testImplementation(enforcedPlatform(
                    boms.first))
                api libs.a, "b:c:1"
                implementation gradleApi()
                compileOnly(group: 'g', name: 'n')
                implementation project(':core')
                implementation sourceSets.main.output
                implementation files('libs/a.jar')
                checkstyle tools.style
            }
        "#;
        let mut found = Vec::new();
        for statement in statements(script) {
            let inside = |head: &Vec<Token>| head.last().is_some_and(|t| t.is_word("dependencies"));
            if statement.blocks.iter().any(inside) {
                let known = libraries(&statement, true);
                if let Some(names) = asked(&statement, &known) {
                    found.push(format!("{} {names:?}", written(&statement.tokens)));
                }
            }
        }
        assert_eq!(
            found,
            [
                "implementation(library.foo) [\"library.foo\"]",
                "testImplementation(enforcedPlatform(boms.first)) [\"boms.first\"]",
                "api libs.a, \"b:c:1\" [\"libs.a\"]",
                "implementation gradleApi() []",
            ]
        );
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
            dependencyManagement {
                imports { mavenBom "m:bom:1" }
                dependencies {
                    dependency 'n:a:1'
                    dependency group: 'n', name: 'b', version: own
                    dependencySet(group: 'n', version: '2') { entry 'c'; entry('d') }
                }
            }
            buildscript { dependencies { classpath "org.springframework.boot:spring-boot-gradle-plugin:$boot" } }
            plugins {
                alias(libs.plugins.spring.boot)
                id("org.springframework.boot") version libs.versions.boot.get()
            }
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
            main Coordinates("m:bom:1") platform
            main Coordinates("n:a:1") platform
            main Coordinates("n:b:${own}") platform
            main Coordinates("n:c:2") platform
            main Coordinates("n:d:2") platform
            main Coordinates("org.springframework.boot:spring-boot-dependencies:$boot") platform
            main Name("libs.plugins.spring.boot") platform
            main Coordinates("org.springframework.boot:spring-boot-dependencies:${libs.versions.boot}") platform"#]]
        .assert_eq(&shown(script).join("\n"));
    }
}
