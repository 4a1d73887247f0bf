//! Reading Markdown artifacts: outline, facts, required content, diagnostics.
