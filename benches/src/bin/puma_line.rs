//! Prints the table of the PUMA's line in docs/performance.md: evaluations and mean differences by each algorithm.

fn main() {
    print!("{}", biela_benches::puma_line::table());
}
