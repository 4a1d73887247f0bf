//! Strict and canonical JSON.
