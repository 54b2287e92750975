#!/usr/bin/env bash
# Makes everything of a release under dist/ and tries what it made: archives of the program for Linux, wheels for Python, source
# packages, the list of dependencies (SBOM), checksums. The same commit gives the same files on the same toolchain. Publishes nothing.
#
#   release/release.sh            everything; source packages are built from what is in them
#   release/release.sh --quick    the same, source packages unbuilt
#   release/release.sh --list     says what would be made and what is missing, and makes nothing
#   release/release.sh --only packages    one part alone: archives, wheels, packages or sbom; may be repeated
#
# Needs Rust, Python and git. The rest (maturin, auditwheel, zig as a linker for old systems) goes into target/release-tools. A
# target that is not installed is left out, with a line; any other fault ends it.
source "$(dirname "$0")/../validation/common.sh"
left_out="NOT MADE: the release" required=always always=1

# Systems as old as these run what is made: glibc 2.17 is of 2012, and the oldest that Rust's own library takes.
glibc=2.17 manylinux=manylinux_2_17
targets=(x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu)
shells=(bash:biela.bash zsh:_biela fish:biela.fish powershell:_biela.ps1)
dist=dist tools=target/release-tools

fail() { echo "error: $*" >&2; exit 1; }
step() { printf '\n== %s\n' "$*"; }

quick=0 list=0 only=()
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=1 ;;
    --list) list=1 ;;
    --only) shift; only+=("${1:?archives, wheels, packages or sbom}") ;;
    *) fail "'$1' is no option: --quick, --list, --only PART" ;;
  esac
  shift
done
for part in "${only[@]}"; do
  case $part in archives | wheels | packages | sbom) ;; *) fail "'$part' is no part: archives, wheels, packages, sbom" ;; esac
done
wanted() { [ ${#only[@]} = 0 ] || [[ " ${only[*]} " = *" $1 "* ]]; }

command -v cargo >/dev/null || fail "no cargo"
command -v python3 >/dev/null || fail "no python3"
version=$(python3 release/crates.py version)
host=$(rustc --version --verbose | sed -n 's/^host: //p')
mapfile -t crates < <(python3 release/crates.py order)

# Targets for which Rust's library is here.
installed=()
for target in "${targets[@]}"; do
  if [ -d "$(rustc --print target-libdir --target "$target")" ]; then
    installed+=("$target")
  else
    echo "left out: $target (rustup target add $target)"
  fi
done

[[ " ${installed[*]} " = *" $host "* ]] || fail "a release is made on one of its own targets, not on $host"

step "version $version"
python3 release/crates.py check
if [ -n "$(git status --porcelain)" ]; then
  [ "$list" = 1 ] || [ "${ALLOW_DIRTY:-0}" = 1 ] || fail "the working tree has changes that are not committed (ALLOW_DIRTY=1 for a trial)"
  echo "the working tree has changes that are not committed"
fi
tag=$(git tag --points-at HEAD --list 'v*')
[ -z "$tag" ] || [ "$tag" = "v$version" ] || fail "this commit has the tag $tag, but the version is $version"

if [ "$list" = 1 ]; then
  step "would be made in $dist/"
  for target in "${installed[@]}"; do
    wanted archives && echo "biela-$version-$target.tar.gz"
    [ "$target" != "$host" ] || ! wanted archives || echo "biela-studio-$version.html (the studio as one page)"
    wanted wheels && echo "biela-$version-cp310-abi3-${manylinux}_${target%%-*}….whl"
    wanted sbom && echo "biela-$version-$target.cdx.json"
  done
  wanted wheels && echo "biela-$version.tar.gz (sources of the Python package)"
  wanted packages && printf "%s-$version.crate\n" "${crates[@]}"
  echo SHA256SUMS
  exit 0
fi

# Dates of files are those of the commit; paths of this machine are not in programs.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
printf -v flags '%s\x1f%s' "--remap-path-prefix=$PWD=/biela" "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
shipped() { CARGO_ENCODED_RUSTFLAGS=$flags "$@"; }
umask 022
rm -rf "$dist"
mkdir -p "$dist"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# pack FOLDER: a tar.gz of that folder of $work with the same bytes whenever it is made.
pack() {
  tar --create --directory "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --format=gnu "$1" | gzip --no-name --best >"$dist/$1.tar.gz"
}

if wanted archives || wanted wheels; then
  environment "$tools" 'auditwheel, ziglang' 'maturin>=1.9,<2' 'auditwheel>=6,<7' cargo-zigbuild ziglang
  PATH="$PWD/$tools/bin:$PATH"
fi

if wanted archives; then
  step "archives of the program"
  # Texts come from the program for this machine, whatever the archive is for.
  shipped cargo-zigbuild zigbuild --release --locked --quiet --package biela-cli --package biela-c --package biela-book --target "$host.$glibc"
  program=target/$host/release/biela
  "$program-book" manual "$work/man"
  for target in "${installed[@]}"; do
    [ "$target" = "$host" ] ||
      shipped cargo-zigbuild zigbuild --release --locked --quiet --package biela-cli --package biela-c --target "$target.$glibc"
    name=biela-$version-$target
    mkdir -p "$work/$name/completions"
    install -m 755 "target/$target/release/biela" "$work/$name/biela"
    # What FMUs have inside, and what other languages call.
    install -m 644 "target/$target/release/libbiela_c.so" "$work/$name/libbiela_c.so"
    cp -r crates/biela-c/include crates/biela-c/samples "$work/$name"
    cp -r README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$work/man" "$work/$name"
    cp -r models "$work/$name/models"
    for pair in "${shells[@]}"; do
      "$program" completions "${pair%%:*}" >"$work/$name/completions/${pair#*:}"
    done
    python3 release/dependencies.py notices "$target" >"$work/$name/THIRD-PARTY"
    needed=$(grep --text --only-matching 'GLIBC_[0-9][0-9.]*' "$work/$name/biela" | sort --version-sort --unique | tail -1)
    [ "$(printf '%s\n' "${needed#GLIBC_}" "$glibc" | sort --version-sort | tail -1)" = "$glibc" ] ||
      fail "the program for $target needs $needed, more than $glibc"
    pack "$name"
    if [ "$target" = "$host" ]; then
      # The studio as one page, for who has no program yet.
      "target/$target/release/biela" --quiet studio --export "$dist/biela-studio-$version.html"
      mkdir "$work/try"
      tar --extract --directory "$work/try" --file "$dist/$name.tar.gz"
      (cd "$work/try/$name" && [ "$(./biela --version)" = "biela $version" ] && ./biela --quiet run models/four-bar.toml -o out.csv &&
        [ -s out.csv ]) || fail "the program in $name.tar.gz does not run"
    fi
    echo "$name.tar.gz needs $needed"
  done
fi

if wanted wheels; then
  step "wheels"
  for target in "${installed[@]}"; do
    shipped maturin build --release --locked --quiet --zig --target "$target" --compatibility "$manylinux" --out "$dist"
  done
  maturin sdist --out "$dist" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "no source package for Python"; }
  for wheel in "$dist"/*.whl; do
    case $wheel in *-abi3-*) ;; *) fail "$wheel is for one version of Python" ;; esac
    auditwheel show "$wheel" >"$work/audit" || fail "auditwheel refuses $wheel"
    # The tag is a promise; auditwheel reads from the symbols which one can be kept.
    kept=$(tr '\n' ' ' <"$work/audit" | sed -n 's/.*following platform tag: *"manylinux_2_\([0-9]*\)_.*/\1/p')
    [ -n "$kept" ] && [ "$kept" -le "${glibc#2.}" ] || { cat "$work/audit" >&2; fail "$wheel does not keep to $manylinux"; }
    echo "$(basename "$wheel"): manylinux_2_$kept by auditwheel"
    case $wheel in
      *_"${host%%-*}".whl)
        python3 -m venv "$work/venv"
        "$work/venv/bin/pip" install --quiet --disable-pip-version-check "$wheel"
        (cd "$work" && venv/bin/python -c 'import sys, biela; assert len(biela.load(sys.argv[1]).run(steps=10)["B.angle"]) == 11' \
          "$OLDPWD/models/four-bar.toml") || fail "$wheel does not run"
        ;;
    esac
  done
fi

if wanted packages; then
  step "source packages, in the order in which they are published: ${crates[*]}"
  options=(--locked --quiet)
  [ "$quick" = 0 ] || options+=(--no-verify)
  [ "${ALLOW_DIRTY:-0}" = 0 ] || options+=(--allow-dirty)
  cargo package "${options[@]}" "${crates[@]/#/--package=}"
  for crate in "${crates[@]}"; do
    cp "target/package/$crate-$version.crate" "$dist"
  done
fi

if wanted sbom; then
  step "dependencies"
  for target in "${installed[@]}"; do
    python3 release/dependencies.py sbom "$target" >"$dist/biela-$version-$target.cdx.json"
  done
fi

step "made in $dist/"
(cd "$dist" && find . -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' sha256sum >SHA256SUMS)
(cd "$dist" && find . -type f -printf '%10s  %P\n' | LC_ALL=C sort -k 2)
