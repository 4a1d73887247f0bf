//! The time, in the form that commands carry.

/// Now: RFC 3339, UTC, with milliseconds.
#[must_use]
pub fn now() -> String {
    format!("{:.3}", jiff::Timestamp::now())
}

#[cfg(test)]
mod tests {
    #[test]
    fn now_has_milliseconds_and_ends_in_z() {
        let now = super::now();
        assert_eq!(now.len(), "2026-01-31T09:30:00.000Z".len(), "{now}");
        assert!(now.ends_with('Z'));
    }
}
