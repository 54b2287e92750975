"""What is in the program besides its own source: every crate that is linked into it for a target, from `cargo metadata` and Cargo.lock.

    python3 release/dependencies.py sbom TARGET      CycloneDX 1.5 as JSON
    python3 release/dependencies.py notices TARGET   their licence texts, which go with the program

The same commit gives the same text: entries are sorted, and the date is that of SOURCE_DATE_EPOCH.
"""

import datetime
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = "biela-cli"


def linked(target):
    """The program's package, and those linked into it with the ids of what each uses; neither tests nor build scripts."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
    told = json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    packages = {p["id"]: p for p in told["packages"]}
    macros = {i for i, p in packages.items() if any("proc-macro" in t["kind"] for t in p["targets"])}
    nodes = {n["id"]: n for n in told["resolve"]["nodes"]}
    uses = {}

    def visit(package):
        if package in uses:
            return
        normal = [d["pkg"] for d in nodes[package]["deps"] if any(k["kind"] is None for k in d["dep_kinds"])]
        uses[package] = sorted(set(normal) - macros)
        for each in uses[package]:
            visit(each)

    start = next(i for i, p in packages.items() if p["name"] == PROGRAM)
    visit(start)
    return packages[start], {i: (packages[i], uses[i]) for i in uses}


def checksums():
    """SHA-256 of every locked package, by name and version."""
    text = (ROOT / "Cargo.lock").read_text(encoding="utf-8")
    found = {}
    for part in text.split("[[package]]"):
        values = dict(re.findall(r'^(name|version|checksum) = "(.*)"$', part, re.M))
        if "checksum" in values:
            found[values["name"], values["version"]] = values["checksum"]
    return found


def purl(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def licence(package):
    """As CycloneDX says it: an expression, or the name of a file where the crate names no licence in its manifest."""
    if package["license"]:
        # `MIT/Apache-2.0` is how crates of long ago say it.
        return {"expression": package["license"].replace("/", " OR ")}
    return {"license": {"name": package["license_file"] or "not told"}}


def sbom(target):
    program, packages = linked(target)
    sums = checksums()

    def component(package):
        entry = {
            "type": "application" if package is program else "library",
            "bom-ref": purl(package),
            "name": package["name"],
            "version": package["version"],
            "description": " ".join((package["description"] or "").split()),
            "licenses": [licence(package)],
            "purl": purl(package),
        }
        checksum = sums.get((package["name"], package["version"]))
        if checksum:
            entry["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        return entry

    made = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": made.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": component(program),
            "properties": [{"name": "biela:target", "value": target}],
        },
        "components": sorted(
            (component(p) for p, _ in packages.values() if p is not program), key=lambda c: c["bom-ref"]
        ),
        "dependencies": sorted(
            (
                {"ref": purl(p), "dependsOn": sorted(purl(packages[u][0]) for u in uses)}
                for p, uses in packages.values()
            ),
            key=lambda d: d["ref"],
        ),
    }


def notices(target):
    """Licence texts of all that is not of this repository; equal texts stand once."""
    _, packages = linked(target)
    texts = {}
    for package, _ in packages.values():
        if package["source"] is None:
            continue
        name = f"{package['name']} {package['version']} ({package['license'] or 'as follows'})"
        folder = Path(package["manifest_path"]).parent
        files = [f for f in folder.rglob("*") if f.is_file() and re.match(r"(?i)(licen[cs]e|copying|notice|ofl|ufl)", f.name)]
        found = [f.read_text(encoding="utf-8", errors="replace").strip() for f in sorted(files) if f.suffix != ".rs"]
        authors = ", ".join(package["authors"]) or "its authors"
        for text in found or [f"Its source has no licence text. By {authors}."]:
            texts.setdefault(text, []).append(name)
    yield "The program contains the crates below. Each stands under its own licence; the texts follow."
    for text, names in sorted(texts.items(), key=lambda entry: sorted(entry[1])):
        yield "\n" + "=" * 100 + "\n" + "\n".join(sorted(names)) + "\n" + "-" * 100 + "\n" + text


if __name__ == "__main__":
    what, target = sys.argv[1:3]
    if what == "sbom":
        print(json.dumps(sbom(target), indent=1, ensure_ascii=False))
    elif what == "notices":
        print("\n".join(notices(target)))
    else:
        sys.exit(f"'{what}' is neither sbom nor notices")
