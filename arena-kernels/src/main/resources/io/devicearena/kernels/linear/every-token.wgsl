//! use linear/input

fn valid_tokens() -> u32 { return TOKENS; }
