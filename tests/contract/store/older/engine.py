"""
A ClickHouse of an older version, as far as a client sees it: the library of chDB's package for Python, behind as much
of ClickHouse's HTTP as @clickhouse/client uses. Prints its port when it serves.

  python3 engine.py PACKAGE FOLDER [CONFIGURATION]

Values of {name:Type} come as param_NAME, settings under their own names; both are set before the statement. What a body
brings for an INSERT is read from a file. One statement runs at a time. Give it no input: 24.8 would wait for an
INSERT's rows there.
"""
import contextlib
import glob
import importlib.machinery
import importlib.util
import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

package, folder, *configuration = sys.argv[1:]
(library,) = glob.glob(f"{package}/chdb/_chdb.*so")
# Of the client or the connection, or without meaning for one process.
NOT_SETTINGS = set(
    "query query_id database session_id session_timeout session_check role wait_end_of_query default_format compress "
    "decompress buffer_size enable_http_compression send_progress_in_http_headers "
    "http_headers_progress_interval_ms cancel_http_readonly_queries_on_client_close".split()
)
INSERT = re.compile(r"^(\s*INSERT\b.*?)\s+FORMAT\s+(\w+)\s*;?\s*$", re.I | re.S)


def load():
    # The package around it wants pandas and pyarrow; the library itself wants nothing.
    loader = importlib.machinery.ExtensionFileLoader("_chdb", library)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("_chdb", loader))
    loader.exec_module(module)
    return module


# The library is used by one thread.
worker = ThreadPoolExecutor(1)
chdb = worker.submit(load).result()
place = "?config-file=".join([folder, *configuration])
connection = worker.submit(chdb.connect, place).result() if hasattr(chdb, "connect") else None


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def run(text, output):
    """Bytes of the answer. Raises RuntimeError with ClickHouse's own words."""
    if connection is not None:
        return connection.query(text, output).bytes()
    # 24.8 opens the folder for each call, and says again what was SET before; not what it cannot find.
    with contextlib.suppress(FileNotFoundError):
        os.remove(f"{folder}/set_statements")
    result = chdb.query(text, output, path=folder)
    if result.has_error():
        raise RuntimeError(result.error_message())
    return result.bytes()


def execute(search, body):
    statement = search.get("query")
    insert = INSERT.match(statement) if statement is not None else None
    statement = statement if statement is not None else body.decode()
    # No library is built with it.
    statement = statement.replace("kafka_format = 'CapnProto'", "kafka_format = 'RowBinary'")
    values = {name: value for name, value in search.items() if name.startswith("param_")}
    settings = {n: v for n, v in search.items() if n not in NOT_SETTINGS and n not in values}
    before = "".join(f"SET {name} = {quoted(value)};\n" for name, value in {**settings, **values}.items())
    with tempfile.NamedTemporaryFile() as data:
        if insert is not None:
            data.write(body)
            data.flush()
            statement = f"{insert[1]} FROM INFILE {quoted(data.name)} FORMAT {insert[2]}"
        try:
            return run(before + statement, search.get("default_format", "TabSeparated"))
        finally:
            if connection is not None and settings:
                run("".join(f"SET {name} = DEFAULT;\n" for name in settings), "Null")


class Face(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)) if not self.chunked() else self.chunks()
        place = urlsplit(self.path)
        if place.path == "/ping":
            return self.give(200, b"Ok.\n")
        try:
            search = dict(parse_qsl(place.query, keep_blank_values=True))
            self.give(200, worker.submit(execute, search, body).result())
        except RuntimeError as error:
            text = str(error)

            code = re.search(r"Code: (\d+)", text)
            self.give(500, text.encode(), {"X-ClickHouse-Exception-Code": code[1] if code else "0"})

    do_GET = do_POST = answer

    def chunked(self):
        return self.headers.get("Transfer-Encoding") == "chunked"

    def chunks(self):
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def give(self, status, body, more={}):
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), "X-ClickHouse-Summary": "{}", **more}.items():
            self.send_header(name, value)
        try:
            self.end_headers()
            self.wfile.write(body)
        except ConnectionError:
            # Nobody wants it any more.
            self.close_connection = True

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Face)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
