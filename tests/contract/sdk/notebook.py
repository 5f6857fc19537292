"""Runs a notebook cell by cell: `notebook.py FILE PARAMETERS [write]` prints the text of each cell as JSON.

PARAMETERS, as JSON, take the place of the values in the cell tagged "parameters". With `write` the file keeps the
texts; pictures stay out of it.
"""

import json
import sys

import nbformat
from nbclient import NotebookClient

path, parameters = sys.argv[1], json.loads(sys.argv[2])
kept = nbformat.read(path, as_version=4)
notebook = nbformat.from_dict(json.loads(json.dumps(kept)))
for cell in notebook.cells:
    if "parameters" in cell.metadata.get("tags", []):
        names = [line.split(" = ")[0] for line in cell.source.splitlines()]
        cell.source = "\n".join(f"{name} = {parameters[name]!r}" for name in names)
NotebookClient(notebook, timeout=300, kernel_name="python3").execute()


def texts(cell):
    """What a stream prints comes in as many pieces as the kernel likes."""
    found = []
    for output in cell.get("outputs", []):
        if output.output_type == "stream" and found and found[-1][0] == output.name:
            found[-1] = (output.name, found[-1][1] + output.text)
        elif output.output_type == "stream":
            found.append((output.name, output.text))
        elif "text/plain" in output.get("data", {}) and "image/png" not in output.data:
            found.append(("result", output.data["text/plain"]))
    return found


if "write" in sys.argv:
    for cell, run in zip(kept.cells, notebook.cells):
        if cell.cell_type == "code":
            cell.outputs = [one for one in run.outputs if "image/png" not in one.get("data", {})]
            for output in cell.outputs:
                output.get("data", {}).pop("text/html", None)
                if output.output_type == "execute_result":
                    output.execution_count = None
    nbformat.write(kept, path)
pictures = sum("image/png" in one.get("data", {}) for cell in notebook.cells for one in cell.get("outputs", []))
print(json.dumps({
    "seen": [texts(cell) for cell in notebook.cells],
    "kept": [texts(cell) for cell in kept.cells],
    "pictures": pictures,
}))
