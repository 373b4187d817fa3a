//! use convolution/pool-max
//! use REDUCE: step/reduce-workgroup

fn of_workgroup(pooled: f32, lane: Lane) -> f32 { return workgroupMax(pooled, lane); }
