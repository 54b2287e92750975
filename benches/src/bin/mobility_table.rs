//! Prints the mobility table of docs/theory.md.

fn main() {
    print!("{}", biela_benches::mobility::table());
}
