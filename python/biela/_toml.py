"""Nested dicts as TOML text."""

import json
import re

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")


def _key(name):
    return name if _BARE.match(name) else json.dumps(name, ensure_ascii=False)


def _value(value):
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        # JSON's escapes are TOML's, but for DEL, which TOML wants escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }" if value else "{}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    raise TypeError(f"a model holds numbers, texts, lists and dicts, not {type(value).__name__}")


def dumps(tree):
    """The text of a tree: plain keys first, then a table for each element."""
    lines, tables = [], []
    for name, value in tree.items():
        if not isinstance(value, dict):
            lines.append(f"{_key(name)} = {_value(value)}")
        elif value and all(isinstance(v, dict) for v in value.values()):
            for element, keys in value.items():
                tables.append(f"\n[{_key(name)}.{_key(element)}]")
                tables += [f"{_key(k)} = {_value(v)}" for k, v in keys.items()]
        else:
            tables.append(f"\n[{_key(name)}]")
            tables += [f"{_key(k)} = {_value(v)}" for k, v in value.items()]
    return "\n".join(lines + tables) + "\n"
