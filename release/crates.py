"""What a release needs to know of the workspace, from `cargo metadata`: its version, the crates that are published in an order in
which each comes after those it uses, and whether all is told that a package must tell.

    python3 release/crates.py version | order | check
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What a package must tell of itself. Where its sources are (`repository`) is asked for as soon as there is such a place.
TOLD = ("description", "license", "readme", "keywords", "categories", "rust_version")


def published():
    """Crates that are published, as cargo tells them, by name."""
    command = ["cargo", "metadata", "--no-deps", "--format-version", "1"]
    told = json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    return {p["name"]: p for p in told["packages"] if p["publish"] != []}


def order(crates):
    """Names, each after those that it depends on."""
    found = []

    def visit(name):
        if name not in found:
            for dependency in sorted({d["name"] for d in crates[name]["dependencies"]} & crates.keys()):
                visit(dependency)
            found.append(name)

    for name in sorted(crates):
        visit(name)
    return found


def faults(crates):
    """Everything that is missing or does not fit together."""
    versions = {p["version"] for p in crates.values()}
    if len(versions) != 1:
        yield f"crates have different versions: {', '.join(sorted(versions))}"
    for name, package in crates.items():
        for key in TOLD:
            if not package[key]:
                yield f"{name} does not tell its {key}"
        if len(package["keywords"]) > 5 or len(package["categories"]) > 5:
            yield f"{name} has more than five keywords or categories"
        for licence in ("LICENSE-MIT", "LICENSE-APACHE"):
            if not (Path(package["manifest_path"]).parent / licence).is_file():
                yield f"{name} has no {licence}"
        for dependency in package["dependencies"]:
            if dependency.get("path") and dependency["name"] not in crates:
                yield f"{name} uses {dependency['name']}, which is not published"
            if dependency.get("path") and dependency["req"] != f"^{package['version']}":
                yield f"{name} asks for {dependency['name']} {dependency['req']}, but the version is {package['version']}"
    for version in versions:
        if not re.search(rf"^## .*\b{re.escape(version)}\b", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M):
            yield f"CHANGELOG.md says nothing of {version}"


def main(what):
    crates = published()
    if what == "version":
        print(next(iter(crates.values()))["version"])
    elif what == "order":
        print("\n".join(order(crates)))
    else:
        found = list(faults(crates))
        for fault in found:
            print(f"error: {fault}", file=sys.stderr)
        if not all(p["repository"] for p in crates.values()):
            print("no repository is named: add `repository` to [workspace.package] before crates are published")
        print(f"{len(crates)} crates tell what a package must")
        return 1 if found else 0
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "check"))
