//! project
