enable subgroups;

/* The sum of eight neighbours, which are in one subgroup. */
fn sum_of_eight(value: f32, thread: u32) -> f32 {
    var s = value;
    s += subgroupShuffleXor(s, 4u);
    s += subgroupShuffleXor(s, 2u);
    s += subgroupShuffleXor(s, 1u);
    return s;
}
