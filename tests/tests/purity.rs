//! The core does no input or output: as WebAssembly it asks its host for nothing.
//!
//! A module can only reach the world through its imports, so an empty import section proves it. The core is linked whole,
//! with everything that could be left out kept in.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use wasmparser::{Parser, Payload};

const TARGET: &str = "wasm32-unknown-unknown";

/// The crate that is linked; it calls into the core, so that the core is part of it.
const SOURCE: &str = r#"
#[unsafe(no_mangle)]
pub extern "C" fn call_core(number: u32) -> usize {
    let text = ralplan_core::json::canonical::to_canonical(&number).unwrap_or_default();
    ralplan_core::intake::risk::detect_risks(&text).len()
}
"#;

/// What a module takes from its host and what it offers, as `module.name` and `name`.
#[derive(Debug, Default, PartialEq)]
struct Borders {
    imports: Vec<String>,
    exports: Vec<String>,
}

#[test]
fn the_core_imports_nothing() {
    let module = build().unwrap();
    let borders = borders(&fs::read(&module).unwrap()).unwrap();
    assert!(
        borders.exports.iter().any(|name| name == "call_core"),
        "{} offers {:?}",
        module.display(),
        borders.exports
    );
    assert!(borders.imports.is_empty(), "the core asks its host for {:?}", borders.imports);
}

#[test]
fn an_import_would_be_noticed() {
    let module = [
        b"\0asm\x01\0\0\0".as_slice(),
        // Type section: one function without parameters and results.
        b"\x01\x04\x01\x60\0\0",
        // Import section: the function `now` of the module `env`.
        b"\x02\x0b\x01\x03env\x03now\0\0",
        // Export section: the same function as `time`.
        b"\x07\x08\x01\x04time\0\0",
    ]
    .concat();
    let expected = Borders { imports: vec!["env.now".to_owned()], exports: vec!["time".to_owned()] };
    assert_eq!(borders(&module).unwrap(), expected);
}

fn borders(module: &[u8]) -> Result<Borders, wasmparser::Error> {
    let mut borders = Borders::default();
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import?;
                    borders.imports.push(format!("{}.{}", import.module, import.name));
                }
            }
            Payload::ExportSection(section) => {
                for export in section {
                    borders.exports.push(export?.name.to_owned());
                }
            }
            _ => {}
        }
    }
    Ok(borders)
}

/// Builds the module without the network, from the versions that the workspace is locked to.
fn build() -> Result<PathBuf, Box<dyn Error>> {
    require_target()?;
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the tests have no workspace")?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("purity");
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("Cargo.toml"), manifest(&workspace.join("core")))?;
    fs::write(folder.join("src/lib.rs"), SOURCE)?;
    fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let target = folder.join("target");
    let output = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--lib", "--target", TARGET, "--target-dir"])
        .arg(&target)
        .current_dir(&folder)
        .env_remove("RUSTFLAGS")
        // By default the linker drops what is not called, and with it the imports it needs.
        .env("CARGO_ENCODED_RUSTFLAGS", "-Clink-arg=--no-gc-sections")
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(target.join(TARGET).join("debug/purity.wasm"))
}

fn manifest(core: &Path) -> String {
    format!(
        "[package]\nname = \"purity\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         [lib]\ncrate-type = [\"cdylib\"]\n\n\
         [dependencies]\nralplan-core = {{ path = '{}' }}\n\n\
         [profile.dev]\ndebug = false\ncodegen-units = 1\n\n\
         [workspace]\n",
        core.display()
    )
}

fn require_target() -> Result<(), Box<dyn Error>> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let output = Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output()?;
    if Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir() {
        return Ok(());
    }
    Err(format!("expected the target {TARGET}, found none; run `rustup target add {TARGET}`").into())
}
