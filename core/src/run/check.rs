//! Forms that times, paths and slots must have.

use super::proposal::{check_digest, shortened};
use super::state::State;
use crate::ledger::ForeignSlot;
use crate::limits;
use crate::protocol::Protocol;
use crate::reason::{Code, Reason};

/// Names that Windows keeps for devices, with or without an ending.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul"];
/// Names that Windows keeps for devices when a digit follows.
const NUMBERED_DEVICES: &[&str] = &["com", "lpt"];
/// Longest name of a file or folder on common file systems, in bytes.
const NAME_BYTES: usize = 255;

/// True for RFC 3339 in UTC with milliseconds, for example `2026-01-31T09:30:00.000Z`.
pub(crate) fn is_time(at: &str) -> bool {
    let shape = b"dddd-dd-ddTdd:dd:dd.dddZ";
    let has_shape = at.len() == shape.len()
        && at
            .bytes()
            .zip(shape)
            .all(|(byte, shape)| if *shape == b'd' { byte.is_ascii_digit() } else { byte == *shape });
    let number = |from: usize, to: usize| {
        at.get(from..to).and_then(|digits| digits.parse::<u32>().ok()).unwrap_or(u32::MAX)
    };
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    let (hour, minute, second) = (number(11, 13), number(14, 16), number(17, 19));
    // A leap second is written as second 60.
    has_shape && (1..=days_of(year, month)).contains(&day) && hour < 24 && minute < 60 && second <= 60
}

/// Days of a month; 0 when there is no such month.
fn days_of(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => 0,
    }
}

/// True for a name that some systems keep for a device, or cut short.
pub(crate) fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_lowercase();
    let is_numbered = |device: &&str| {
        stem.strip_prefix(*device)
            .is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|digit| (b'1'..=b'9').contains(&digit)))
    };
    DEVICES.contains(&stem.as_str()) || NUMBERED_DEVICES.iter().any(is_numbered) || name.ends_with(['.', ' '])
}

/// Refuses a path that is not a plain one below the root.
pub(crate) fn check_path(at: &str, path: &str) -> Result<(), Vec<Reason>> {
    let wrong = |code: Code| Err(vec![Reason::new(code).at(at).actual(shortened(path))]);
    if path.chars().any(char::is_control) {
        return wrong(Code::PathNul);
    }
    let has_drive = path.as_bytes().get(1) == Some(&b':');
    if path.is_empty() || path.starts_with(['/', '\\']) || has_drive {
        return wrong(Code::PathAbsolute);
    }
    for name in path.split(['/', '\\']) {
        if ["", ".", ".."].contains(&name) {
            return wrong(Code::PathEscape);
        }
        if is_reserved(name) {
            return wrong(Code::PathReserved);
        }
        if name.len() > NAME_BYTES {
            return wrong(Code::PathTooLong);
        }
    }
    Ok(())
}

/// Refuses an id of a folder that some systems reserve.
pub(crate) fn check_folder_id(at: &str, id: &str) -> Result<(), Vec<Reason>> {
    if is_reserved(id) {
        return Err(vec![Reason::new(Code::PathReserved).at(at).actual(id)]);
    }
    Ok(())
}

/// Refuses files of another program that name no slot.
pub(crate) fn check_slots(at: &str, slots: &[ForeignSlot], protocol: &Protocol) -> Result<(), Vec<Reason>> {
    for (index, slot) in slots.iter().enumerate() {
        let at = |field: &str| format!("{at}[{index}].{field}");
        check_path(&at("path"), &slot.path)?;
        check_digest(&at("sha256"), &slot.sha256)?;
        if !protocol.stages.contains_key(&slot.stage) {
            let known: Vec<String> = protocol.stages.keys().cloned().collect();
            let reason = Reason::new(Code::InputStage).at(at("stage")).expected(known);
            return Err(vec![reason.actual(shortened(&slot.stage))]);
        }
        if !(1..=limits::STAGE_NUMBER).contains(&slot.stage_n) {
            let reason = Reason::new(Code::InputStageNumber).at(at("stage_n")).expected("1 to 999");
            return Err(vec![reason.actual(slot.stage_n)]);
        }
    }
    Ok(())
}

impl State {
    /// Refuses files of another program that name no slot of the run.
    pub(crate) fn check_slots(&self, at: &str, slots: &[ForeignSlot]) -> Result<(), Vec<Reason>> {
        check_slots(at, slots, self.protocol())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_days_and_hours() {
        for (at, is_right) in [
            ("2026-01-31T09:30:00.000Z", true),
            ("2028-02-29T23:59:60.999Z", true),
            ("2100-02-29T00:00:00.000Z", false),
            ("2026-13-01T00:00:00.000Z", false),
            ("2026-04-31T00:00:00.000Z", false),
            ("2026-01-31T24:00:00.000Z", false),
            ("2026-01-31T09:60:00.000Z", false),
            ("2026-01-00T09:30:00.000Z", false),
            ("2026-01-31 09:30:00.000Z", false),
        ] {
            assert_eq!(is_time(at), is_right, "{at}");
        }
    }

    #[test]
    fn devices_are_reserved_and_their_neighbours_are_not() {
        for name in ["CON", "nul.md", "Com1", "lpt9.tar.gz", "run.", "run "] {
            assert!(is_reserved(name), "{name}");
        }
        for name in ["console", "null", "com", "com0", "com10", "lpt", ".hidden", "run"] {
            assert!(!is_reserved(name), "{name}");
        }
    }
}
