//! Starting other programs from the root of the workspace.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package)
}

/// The cargo that started this program.
pub(crate) fn cargo(arguments: &[&str]) -> Program {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    Program::new(cargo, arguments)
}

/// A program with its arguments, started in the root.
pub(crate) struct Program {
    command: Command,
    line: String,
}

impl Program {
    pub(crate) fn new(program: impl Into<OsString>, arguments: &[&str]) -> Program {
        let program = program.into();
        let name = Path::new(&program).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut command = Command::new(&program);
        command.args(arguments).current_dir(root()).stdin(Stdio::null());
        Program { command, line: format!("{name} {}", arguments.join(" ")) }
    }

    pub(crate) fn variable(mut self, name: &str, value: &str) -> Program {
        self.command.env(name, value);
        self
    }

    /// Runs the program with its output passed on.
    pub(crate) fn run(mut self) -> Result<(), String> {
        println!("$ {}", self.line);
        let status = self
            .command
            .status()
            .map_err(|error| format!("`{}` could not be started: {error}", self.line))?;
        if status.success() { Ok(()) } else { Err(format!("`{}` failed", self.line)) }
    }

    /// Runs the program and returns its standard output.
    pub(crate) fn output(mut self) -> Result<String, String> {
        let output = self
            .command
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| format!("`{}` could not be started: {error}", self.line))?;
        if !output.status.success() {
            return Err(format!("`{}` failed", self.line));
        }
        String::from_utf8(output.stdout).map_err(|_| format!("the output of `{}` is not UTF-8", self.line))
    }

    /// Runs the program, passes on both outputs in their order and hands each line to `watch`.
    pub(crate) fn watch(mut self, mut watch: impl FnMut(&str)) -> Result<bool, String> {
        println!("$ {}", self.line);
        let failed = |error: std::io::Error| error.to_string();
        let (reader, writer) = std::io::pipe().map_err(failed)?;
        self.command.stdout(writer.try_clone().map_err(failed)?).stderr(writer);
        let mut child =
            self.command.spawn().map_err(|error| format!("`{}` could not be started: {error}", self.line))?;
        // The command holds the writing end of the pipe; reading would never end while it lives.
        drop(self.command);
        for line in BufReader::new(reader).lines() {
            let line = line.map_err(failed)?;
            println!("{line}");
            watch(&line);
        }
        Ok(child.wait().map_err(failed)?.success())
    }
}
