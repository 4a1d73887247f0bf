//! Under which licences the packages that are built in may be used.

use serde_json::Value;

use super::spdx;
use crate::Outcome;
use crate::program::cargo;

/// Licences that a distribution under MIT OR Apache-2.0 can include. `deny.toml` holds the same list.
const ALLOWED: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "Unicode-3.0",
    "MPL-2.0",
    "Unlicense",
];

pub(super) fn check() -> Outcome {
    let text = cargo(&["metadata", "--format-version", "1", "--locked"]).output()?;
    let metadata: Value = serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = metadata.get("packages").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let wrong: Vec<String> = packages.iter().filter_map(complaint).collect();
    if !wrong.is_empty() {
        return Err(wrong.join("; "));
    }
    if packages.is_empty() {
        return Err("cargo metadata lists no package".to_owned());
    }
    println!("check: the licences of {} packages are on the list", packages.len());
    Ok(())
}

/// What is wrong with the licence of a package.
fn complaint(package: &Value) -> Option<String> {
    let field = |name: &str| package.get(name).and_then(Value::as_str).unwrap_or_default();
    let name = format!("{} {}", field("name"), field("version"));
    let licence = field("license");
    if licence.is_empty() {
        return Some(format!("{name} states no licence"));
    }
    match spdx::is_allowed(licence, ALLOWED) {
        Ok(true) => None,
        Ok(false) => Some(format!("{name} is under `{licence}`, which is not on the list")),
        Err(error) => Some(format!("the licence of {name} cannot be read: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_for_cargo_deny_is_the_same() {
        let deny = include_str!("../../../deny.toml");
        let list = deny.split_once("allow = [").and_then(|(_, rest)| rest.split_once(']')).unwrap().0;
        let listed: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
        assert_eq!(listed, ALLOWED);
    }

    #[test]
    fn a_package_without_or_with_another_licence_is_named() {
        let package =
            |licence: Value| serde_json::json!({ "name": "a", "version": "1.0.0", "license": licence });
        assert_eq!(complaint(&package("MIT".into())), None);
        assert!(complaint(&package(Value::Null)).unwrap().contains("a 1.0.0 states no licence"));
        assert!(complaint(&package("AGPL-3.0-only".into())).unwrap().contains("not on the list"));
        assert!(complaint(&package("MIT OR".into())).unwrap().contains("cannot be read"));
    }
}
