//! The program `biela`.

fn main() -> std::process::ExitCode {
    biela_cli::run(std::env::args_os())
}
