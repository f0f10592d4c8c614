//! Settings of the engine by name, for all benches.

use grandstand_search::gomoku::Options;

/// Sets one member of the options by its name.
pub(crate) fn tune(options: &mut Options, name: &str, value: &str) {
    let number = || value.parse().expect("a number");
    let tuning = &mut options.tuning;
    match name {
        "leaf_fours" => tuning.leaf_fours = number(),
        "threats" => tuning.threats = number(),
        "net" => tuning.net = value == "true",
        "net_threatened" => tuning.net_threatened = value == "true",
        "null_move" => tuning.null_move = value == "true",
        "reduction" => tuning.reduction = number(),
        "width" => tuning.width = number(),
        "razor" => tuning.razor = number(),
        "futility" => tuning.futility = number(),
        "replies" => tuning.replies = number(),
        "singular" => tuning.singular = value == "true",
        "fail_high" => tuning.fail_high = value == "true",
        "stale" => tuning.stale = value == "true",
        "few_defences" => tuning.few_defences = value == "true",
        "late_threats" => tuning.late_threats = value == "true",
        "extend_late" => tuning.extend_late = value == "true",
        "resize" => tuning.resize = value == "true",
        "put_off" => tuning.put_off = value == "true",
        "deepest" => tuning.deepest = value == "true",
        "threads" => options.threads = number() as usize,
        _ => panic!("no such setting: {name}"),
    }
}
