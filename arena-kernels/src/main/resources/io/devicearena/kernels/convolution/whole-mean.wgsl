//! use convolution/pool-mean
//! use REDUCE: step/reduce-workgroup

fn of_workgroup(pooled: f32, lane: Lane) -> f32 { return workgroupSum(pooled, lane); }
