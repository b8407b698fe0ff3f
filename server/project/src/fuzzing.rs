//! Readers of bytes that stand within files with checksums, open to those who feed them what no compiler wrote.

use crate::libraries::classfile;

/// Reads a class file and a module's descriptor; true if it is one of them.
pub fn class_file(bytes: &[u8]) -> bool {
    let class = classfile::read(bytes).is_ok();
    classfile::read_module(bytes).is_ok() || class
}
