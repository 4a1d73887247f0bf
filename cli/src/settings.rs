//! Protocol and settings of a run: from flags, from `ralplan.toml`, from another run.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use ralplan_core::protocol::{Protocol, built_in, built_in_names, parse};
use ralplan_core::reason::{Code, Reason};
use ralplan_core::run::{Setting, Settings, SettingsInput};
use ralplan_core::{document, limits};
use ralplan_host::settings::{FILE, FileSettings, Sourced};

use crate::exit::Failure;

/// Reads `ralplan.toml` at a root; without the file nothing is set.
pub(crate) fn read(root: &Path) -> Result<FileSettings, Failure> {
    let path = root.join(FILE);
    let text = match fs::read(&path) {
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| {
            Reason::new(Code::InputNotUtf8).at(FILE).message("the settings file is not UTF-8")
        })?,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(FileSettings::default()),
        Err(error) => return Err(Failure::system(format!("cannot read `{}`: {error}", path.display()))),
    };
    ralplan_host::settings::parse(FILE, &text).map_err(|error| {
        Reason::new(Code::InputSetting)
            .at(format!("{}:{}", error.file, error.line))
            .message(error.message)
            .into()
    })
}

/// The settings that a file states.
pub(crate) fn of_file(file: &FileSettings) -> SettingsInput {
    SettingsInput {
        max_iterations: file.max_iterations.as_ref().map(setting),
        max_passes_per_lane: file.max_passes_per_lane.as_ref().map(setting),
        automatic_handoff: file.automatic_handoff.as_ref().map(setting),
        warn: file.warn.as_ref().map(setting),
        ..SettingsInput::default()
    }
}

fn setting<T: Clone>(sourced: &Sourced<T>) -> Setting<T> {
    Setting { source: sourced.source.clone(), value: sourced.value.clone() }
}

/// The settings of another run, as it was started.
pub(crate) fn of_run(run_id: &str, settings: &Settings) -> SettingsInput {
    fn copy<T: Clone>(run_id: &str, setting: &Setting<T>) -> Option<Setting<T>> {
        Some(Setting { source: format!("run {run_id}"), value: setting.value.clone() })
    }
    SettingsInput {
        max_iterations: copy(run_id, &settings.max_iterations),
        max_passes_per_lane: copy(run_id, &settings.max_passes_per_lane),
        automatic_handoff: copy(run_id, &settings.automatic_handoff),
        warn: copy(run_id, &settings.warn),
        stop_at_first_objection: copy(run_id, &settings.stop_at_first_objection),
        drafting_owner: copy(run_id, &settings.drafting_owner),
    }
}

/// The built-in protocol of a name, or the document in a file.
pub(crate) fn protocol(name: &str) -> Result<Protocol, Failure> {
    if let Some(protocol) = built_in(name) {
        return Ok(protocol);
    }
    let path = Path::new(name);
    if !path.exists() {
        let known: Vec<String> = built_in_names().map(str::to_owned).collect();
        let mut reason = Reason::new(Code::InputUnknownValue)
            .at("--protocol")
            .message("there is no such built-in protocol and no such file")
            .expected(known)
            .actual(name);
        if let Some(near) = document::nearest(built_in_names(), name) {
            reason = reason.remedy(format!("did you mean `{near}`?"));
        }
        return Err(reason.into());
    }
    protocol_file(path)
}

/// The protocol document in a file.
pub(crate) fn protocol_file(path: &Path) -> Result<Protocol, Failure> {
    let shown = path.display().to_string();
    let bytes = bounded(path)?;
    parse(&bytes).map_err(|errors| {
        Failure::refused(
            errors
                .iter()
                .take(limits::REASONS)
                .map(|error| {
                    let reason = Reason::from(error);
                    let place = reason.at.clone().unwrap_or_default();
                    reason.at(format!("{shown}: {place}"))
                })
                .collect(),
        )
    })
}

/// The bytes of a file that a person names; a folder or a missing file is an error of the argument.
pub(crate) fn bounded(path: &Path) -> Result<Vec<u8>, Failure> {
    let shown = path.display().to_string();
    let wrong = |message: String| Failure::from(Failure::argument(&shown, message));
    let metadata =
        fs::metadata(path).map_err(|error| wrong(format!("the file cannot be read: {}", plain(&error))))?;
    if metadata.is_dir() {
        return Err(wrong("a folder stands there; expected a file".to_owned()));
    }
    if metadata.len() > limits::LEDGER_BYTES {
        let reason = Reason::new(Code::InputTooLarge).at(shown);
        return Err(reason.expected(limits::LEDGER_BYTES).actual(metadata.len()).into());
    }
    fs::read(path).map_err(|error| wrong(format!("the file cannot be read: {}", plain(&error))))
}

/// The bytes of an artifact; whatever keeps its file from being read, it is the path that must change.
pub(crate) fn artifact(path: &Path) -> Result<Vec<u8>, Failure> {
    bounded(path).map_err(|mut failure| {
        for reason in failure.reasons.iter_mut().filter(|reason| reason.code == Code::InputArgument) {
            reason.code = Code::InputArtifactPath;
            Code::InputArtifactPath.row().remedy.clone_into(&mut reason.remedy);
        }
        failure
    })
}

/// What the system says, without its number.
pub(crate) fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    text.get(..end).unwrap_or(&text).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_settings_file_is_named_with_its_line() {
        let root = tempfile::tempdir().unwrap();
        assert!(read(root.path()).unwrap().max_iterations.is_none());
        fs::write(root.path().join(FILE), "protocol = \"gjc\"\nmax_iterations = \"many\"\n").unwrap();
        let failure = read(root.path()).unwrap_err();
        assert_eq!(failure.reasons[0].at.as_deref(), Some("ralplan.toml:2"));
        fs::write(root.path().join(FILE), "protocol = \"gjc\"\nmax_iterations = 3\n").unwrap();
        let input = of_file(&read(root.path()).unwrap());
        assert_eq!(input.max_iterations.unwrap().source, "ralplan.toml:2");
    }

    #[test]
    fn protocols_are_built_in_or_files_and_a_near_name_is_suggested() {
        assert_eq!(protocol("pi").unwrap().name, "pi");
        let failure = protocol("standart").unwrap_err();
        assert_eq!(failure.reasons[0].remedy, "did you mean `standard`?");
    }
}
