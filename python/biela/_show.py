"""What notebooks and other libraries show of results."""

import html as _html
import json
import os


class Plot:
    """A diagram. Notebooks show it; ``save`` writes .svg or .png."""

    def __init__(self, results, svg, signals, x, title):
        self.svg = svg
        self._results, self._choice = results, (signals, x, title)

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        """Writes the diagram; the ending says how: svg, png."""
        self._results._save_plot(os.fspath(path), *self._choice)


class Page:
    """A mechanism in motion as one web page. Notebooks show it inline; nothing is asked of a network."""

    def __init__(self, html):
        self.html = html

    def _repr_html_(self):
        page = _html.escape(self.html, quote=True)
        return (
            f'<iframe srcdoc="{page}" sandbox="allow-scripts allow-downloads" '
            'style="width: 100%; height: 480px; border: 0"></iframe>'
        )

    def save(self, path):
        """Writes the page as an .html file."""
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(self.html)


def to_pandas(results):
    import pandas

    columns = results.to_dict()
    index = columns.pop("t", None)
    if index is not None:
        index = pandas.Index(index, name="t")
    frame = pandas.DataFrame(columns, index=index, copy=False)
    frame.attrs["units"] = results.units
    return frame


def to_arrow(results):
    import pyarrow

    fields = [pyarrow.field(name, pyarrow.float64(), metadata={"unit": unit}) for name, unit in results.units.items()]
    notes = {"notes": json.dumps(results.notes)}
    arrays = [pyarrow.array(array) for array in results.to_dict().values()]
    return pyarrow.table(arrays, schema=pyarrow.schema(fields, metadata=notes))
