"""Scenarios of the Python SDK against a gateway: `python_client.py SCENARIO` prints what a program sees, as JSON."""

import builtins
import contextlib
import io
import json
import sys
import tracemalloc
import warnings

import vantage


def described(error):
    return {
        "type": type(error).__name__,
        "status": error.status,
        "code": error.code,
        "text": str(error),
    }


def failure_of(act):
    try:
        act()
    except vantage.VantageError as error:
        return error
    raise AssertionError("nothing was raised")


def public():
    names = {name for name in dir(vantage) if not name.startswith("_")}
    documented = [getattr(vantage, name) for name in vantage.__all__]
    methods = [
        getattr(one, name) for one in documented if isinstance(one, type) for name in vars(one) if name[0] != "_"
    ]
    return {
        "unlisted": sorted(names - set(vantage.__all__)),
        "undocumented": [one.__name__ for one in [*documented, *methods] if callable(one) and not one.__doc__],
    }


def partial():
    with vantage.Client() as v, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        paths = v.trace("203.0.113.9", from_=["west", "east"], last_ttl=5)
        return {
            "is_partial": paths.is_partial,
            "missing": list(paths.missing),
            "warned": [str(one.message) for one in caught if one.category is vantage.PartialResult],
            "agents": [path["agent"] for path in paths],
            "repr": repr(paths),
        }


def held():
    with vantage.Client() as v, warnings.catch_warnings():
        warnings.simplefilter("ignore", vantage.PartialResult)
        paths = v.trace("203.0.113.9", from_="west", last_ttl=5, name="held", timeout_s=1)
        v.cancel(paths.measurement_id)

        def interrupt(status):
            raise KeyboardInterrupt

        interrupted = False
        try:
            v.trace("203.0.113.9", from_="west", last_ttl=5, name="held", progress=interrupt)
        except KeyboardInterrupt:
            interrupted = True
        shape: vantage.Shape = {"size": 1400, "df": True, "dscp": "EF", "flow_label": 5}
        probe = vantage.Probe("203.0.113.9", 24_000, 33_434, 3, "udp")
        shaped = v.measure("west", [probe], name="held", shape=shape)
        v.cancel(shaped["measurement_id"])
        statuses = {one["status"] for one in v.measurements()}
        return {
            "missing": list(paths.missing),
            "rows": len(paths.to_list()),
            "interrupted": interrupted,
            "shape": shaped["shape"],
            "statuses": sorted(statuses),
        }


def refused():
    with vantage.Client(token="vtg_wrong") as stranger, vantage.Client() as v:
        return {
            "unknown": described(failure_of(lambda: stranger.trace("203.0.113.9", from_="west"))),
            "scope": described(failure_of(lambda: v.campaign("hourly"))),
            "sql": described(failure_of(lambda: stranger.sql("SELECT 1").to_list())),
        }


def quota():
    with vantage.Client() as v:
        targets = [f"203.0.113.{k}" for k in range(1, 201)]
        error = failure_of(lambda: v.trace(targets, from_="west", flows=2))
        figures = {**described(error), "details": error.details}
        return {"error": figures, "used": v.limits()["probes_per_day"]["used"]}


def large():
    with vantage.Client() as v:
        targets = [f"203.0.{k // 200}.{k % 200 + 1}" for k in range(280)]
        paths = v.trace(targets, from_="west")
        id = paths.measurement_id
        tracemalloc.start()
        replies = sum(1 for _ in v.replies(id))
        peak_iterating = tracemalloc.get_traced_memory()[1]
        tracemalloc.reset_peak()
        v.replies(id).to_list()
        peak_list = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        counts = [(1, len(path["hops"])) for path in paths]
        return {
            "paths": len(counts),
            "hops": sum(hops for _, hops in counts),
            "replies": replies,
            "missing": list(paths.missing),
            "table": v.replies(id).to_arrow().num_rows,
            "sql": v.sql("SELECT count() AS n FROM replies WHERE measurement_id = {id:String}", id=id).first()["n"],
            "peak_iterating": peak_iterating,
            "peak_list": peak_list,
        }


def campaign():
    with vantage.Client() as v:
        watch = v.campaign("watch", "west", targets=["203.0.113.9"], every="1h", max_runs=3, flows=2)
        found = v.campaign("watch")
        found.stop()
        views = [found.series(), found.trend(), found.heatmap(), found.changes(), found.links()]
        result = {
            "probes": watch.estimate["probes_per_run"],
            "unknown_estimate": str(failure_of(lambda: found.estimate)),
            "phase": found.wait(runs=1)["phase"],
            "runs": len(found.runs()),
            "rows": [len(rows.to_list()) for rows in views],
            "frame": list(found.series().to_pandas().columns)[:5],
            "of_no_measurement": str(failure_of(lambda: found.series().measurement_id)),
            "none": str(failure_of(lambda: found.series().first())).replace(found.id, "ID"),
        }
        found.remove()
        return {**result, "removed": str(failure_of(lambda: v.campaign("watch")))}


@contextlib.contextmanager
def without(package):
    original = builtins.__import__

    def refusing(name, *args, **kwargs):
        if name.split(".")[0] == package:
            raise ModuleNotFoundError(f"No module named '{package}'")
        return original(name, *args, **kwargs)

    builtins.__import__ = refusing
    try:
        yield
    finally:
        builtins.__import__ = original


def wrong():
    with vantage.Client() as v, vantage.Client("http://127.0.0.1:1", "x") as nowhere:
        failures = {
            "statement": lambda: v.sql("SELECT nothing FROM replies").to_list(),
            "format": lambda: v.sql("SELECT 1 FORMAT CSV").to_arrow(),
            "url": lambda: v.trace("https://example.org/", from_="west"),
            "prefix": lambda: v.trace("192.0.2.0/24", from_="west"),
            "name": lambda: v.trace("nothing.invalid", from_="west"),
            "unreachable": lambda: nowhere.limits(),
        }
        result = {name: str(failure_of(act)) for name, act in failures.items()}
        for package, act in (("pandas", "to_pandas"), ("pyarrow", "to_arrow")):
            with without(package):
                error = failure_of(getattr(v.sql("SELECT 1"), act))
                assert isinstance(error, ImportError)
                result[package] = str(error)
        return result


def progress():
    said = io.StringIO()
    with vantage.Client(progress=True) as v, contextlib.redirect_stderr(said):
        v.trace("203.0.113.9", from_="west", last_ttl=5)
    return {"line": said.getvalue()}


print(json.dumps(globals()[sys.argv[1]]()))
