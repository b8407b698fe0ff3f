//! telltale
