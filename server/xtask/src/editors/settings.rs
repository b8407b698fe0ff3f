//! The settings of the VS Code extension: those of the server's one table, and the path of the server.

use std::path::Path;

use project::Config;
use project::config::{KEYS, Range};
use serde_json::{Map, Value, json};

use crate::Result;

/// The extension's manifest.
pub(crate) const MANIFEST: &str = "editors/vscode/package.json";

/// Where in the manifest's text the settings stand.
const OPENING: &str = "\"configuration\": { \"title\": \"Telltale\", \"properties\": ";

/// Writes the settings into the manifest; the rest of it stays as it is.
pub(crate) fn write(root: &Path) -> Result<()> {
    let path = root.join(MANIFEST);
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(&path).map_err(failed)?;
    let (start, end) = place(&text)?;
    let settings = format!("{:#}", properties()).replace('\n', "\n    ");
    let new = format!("{}{settings}{}", &text[..start], &text[end..]);
    std::fs::write(&path, new).map_err(failed)
}

/// What differs between the manifest and the server's table.
pub(crate) fn differences(manifest: &str) -> Result<Vec<String>> {
    let manifest: Value = serde_json::from_str(manifest).map_err(|error| error.to_string())?;
    let found = &manifest["contributes"]["configuration"]["properties"];
    let wanted = properties();
    let names = |of: &Value| -> Vec<String> {
        let object = of.as_object();
        object.map_or(Vec::new(), |o| o.keys().cloned().collect())
    };
    let mut all = names(&wanted);
    all.extend(names(found));
    all.sort();
    all.dedup();
    Ok(all
        .into_iter()
        .filter(|name| found[name] != wanted[name])
        .map(|name| {
            format!("{MANIFEST}: {name} is not what the server has; `cargo xtask editors --write-settings` writes it")
        })
        .collect())
}

/// From the brace that opens the settings to behind the one that closes them.
fn place(manifest: &str) -> Result<(usize, usize)> {
    let found = manifest.find(OPENING);
    let start = found.ok_or_else(|| format!("{MANIFEST} has no {OPENING}"))? + OPENING.len();
    let mut values = serde_json::Deserializer::from_str(&manifest[start..]).into_iter::<Value>();
    match values.next() {
        Some(Ok(_)) => Ok((start, start + values.byte_offset())),
        Some(Err(error)) => Err(format!("{MANIFEST}: {error}")),
        None => Err(format!("{MANIFEST} ends too early")),
    }
}

fn properties() -> Value {
    let mut all = Map::new();
    for key in KEYS {
        all.insert(
            format!("telltale.{}", key.name),
            setting(&key.range, key.doc),
        );
    }
    all.insert(
        "telltale.server.path".to_owned(),
        json!({
            "type": "string",
            "default": "",
            "scope": "machine-overridable",
            "markdownDescription": "The server's program, by its whole path. Without it the one that came with the extension is used, else `telltale` on the search path.",
        }),
    );
    Value::Object(all)
}

/// One setting as the manifest has it. A default is shown but never sent: what nobody set, `telltale.toml` decides.
fn setting(range: &Range, doc: &str) -> Value {
    let mut all = match range {
        Range::Switch { default, .. } => json!({ "type": "boolean", "default": default }),
        Range::Consent { .. } => json!({ "type": "boolean", "default": false }),
        Range::Number {
            min, max, default, ..
        } => json!({ "type": "number", "minimum": min, "maximum": max, "default": default }),
        Range::Integer {
            min, max, default, ..
        } => json!({ "type": "integer", "minimum": min, "maximum": max, "default": default }),
        Range::Fp { .. } => json!({
            "anyOf": [
                { "type": "string", "enum": ["differentiated"] },
                { "type": "number", "minimum": 0, "maximum": 1 },
            ],
            "default": "differentiated",
        }),
        Range::Level { default } => json!({
            "type": "string",
            "enum": ["off", "hint", "info", "warning", "error"],
            "default": default.name(),
        }),
        // Where something lies on one machine is not to be carried to another.
        Range::Path { .. } => json!({ "type": "string", "scope": "machine-overridable" }),
        Range::Paths { .. } => json!({
            "type": "array",
            "items": { "type": "string" },
            "scope": "machine-overridable",
        }),
        Range::Globs { .. } => {
            let default = Config::default().sources.exclude;
            json!({ "type": "array", "items": { "type": "string" }, "default": default })
        }
    };
    all["markdownDescription"] = doc.into();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> String {
        std::fs::read_to_string(crate::root().join(MANIFEST)).expect("a manifest")
    }

    #[test]
    fn the_extension_has_the_settings_of_the_server() {
        assert_eq!(differences(&manifest()), Ok(Vec::new()));
    }

    /// Where something lies is a matter of the machine; which program is run is none of a folder that nobody trusts.
    #[test]
    fn no_untrusted_folder_names_a_program() {
        let manifest: Value = serde_json::from_str(&manifest()).expect("JSON");
        let trust = &manifest["capabilities"]["untrustedWorkspaces"];
        assert_eq!(trust["supported"], "limited");
        let restricted = trust["restrictedConfigurations"].as_array();
        let restricted = restricted.expect("restricted settings");
        let settings = properties();
        let settings = settings.as_object().expect("an object");
        let places: Vec<&String> = settings
            .iter()
            .filter(|(_, it)| it["scope"] == "machine-overridable")
            .map(|(name, _)| name)
            .collect();
        assert_eq!(
            places,
            [
                "telltale.java.classpath",
                "telltale.java.home",
                "telltale.server.path"
            ]
        );
        assert!(
            restricted
                .iter()
                .all(|it| settings.contains_key(it.as_str().expect("a name")))
        );
        assert!(restricted.contains(&json!("telltale.server.path")));
    }

    #[test]
    fn a_setting_that_differs_is_named() {
        let changed = manifest().replacen("telltale.lens.tests", "telltale.lens.test", 1);
        let found = differences(&changed).expect("a manifest");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("telltale.lens.test "), "{found:?}");
    }

    #[test]
    fn the_rest_of_the_manifest_stays() {
        let text = manifest();
        let (start, end) = place(&text).expect("settings");
        let settings: Value = serde_json::from_str(&text[start..end]).expect("an object");
        assert_eq!(settings, properties());
        assert!(text[end..].trim_start().starts_with('}'));
    }
}
