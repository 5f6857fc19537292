import { describe, expect, test } from "bun:test";
import { formatPrefix } from "../../../lib/ip/prefix.ts";
import { parseOptions } from "./options.ts";

const nowMs = Date.parse("2026-01-31T12:00:00Z");

function optionsOf(...args: string[]) {
  const parsed = parseOptions("replies", args, nowMs);
  return parsed.kind === "run" ? parsed.options : parsed;
}

test("a store is enough", () => {
  expect(optionsOf("--store", "chdb:d")).toEqual({
    place: { kind: "store", config: null, storeAddress: "chdb:d" },
    view: "replies",
    filter: {},
    limit: 1000,
    follow: false,
    format: "table",
  });
});

test("a measurement without a store is the gateway's", () => {
  const id = "6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55";
  const common = {
    service: "probing",
    address: "https://g.example",
    profile: null,
    tokenStdin: false,
    format: "table",
  };
  expect(optionsOf(id, "--gateway", "https://g.example")).toMatchObject({
    place: { kind: "gateway", measurementId: id, common },
    view: "replies",
  });
  expect(parseOptions("catchment", [id], nowMs)).toMatchObject({ options: { view: "catchment" } });
});

test("each option is taken", () => {
  const options = optionsOf(
    ...[
      "-c",
      "c.yaml",
      "-v",
      "paths",
      "-a",
      "west",
      "-d",
      "192.0.2.1",
      "-s",
      "2001:db8::/48",
      "--since",
      "2h",
      "m",
    ],
  );
  expect(options).toMatchObject({ place: { kind: "store", config: "c.yaml" }, view: "paths", limit: 100 });
  const { destination, source, ...filter } = "filter" in options ? options.filter : {};
  expect(filter).toEqual({ measurementId: "m", agent: "west", sinceMs: nowMs - 7_200_000 });
  expect([destination, source].map((prefix) => prefix && formatPrefix(prefix))).toEqual([
    "192.0.2.1/32",
    "2001:db8::/48",
  ]);
  expect(
    optionsOf("-c", "c", "-f", "-o", "ndjson", "-n", "7", "--since", "2026-01-31T11:00:00Z"),
  ).toMatchObject({
    follow: true,
    format: "ndjson",
    limit: 7,
    filter: { sinceMs: nowMs - 3_600_000 },
  });
});

describe("a wrong command line gets one line that names what is wrong", () => {
  test.each([
    [
      [],
      "Name a measurement of yours, which the gateway is asked for; or a column store with --store or --config",
    ],
    [["m"], '"m" is no id of a measurement; vantage measurements lists yours'],
    [
      ["-c", "c", "--gateway", "https://g.example"],
      "--gateway is for the gateway, --config and --store ask a column store: give one of them",
    ],
    [
      ["-s", "192.0.2.1", "6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55"],
      "--source is for a column store (--store, --config): the gateway shows your own measurements",
    ],
    [["-c", "c", "a", "b"], "Name one measurement, not 2"],
    [["-c", "c", ""], 'measurement "" is empty: leave it out, or name one'],
    [["-c", "c", "-a", ""], '--agent "" is empty: leave it out, or name one'],
    [["-c", "c", "-v", "map"], '--view "map": give one of replies, paths, loss, catchment, probes'],
    [["-c", "c", "-o", "xml"], '-o "xml": give one of table, json, ndjson, csv'],
    [
      ["-c", "c", "-d", "192.0.2.1/24"],
      '--destination "192.0.2.1/24": give an address or a prefix, as 192.0.2.0/24 or 2001:db8::1',
    ],
    [["-c", "c", "-s", "x"], '--source "x": give an address or a prefix, as 192.0.2.0/24 or 2001:db8::1'],
    [["-c", "c", "--since", "soon"], '--since "soon": give a time, as 30m, 2d or 2026-01-31T12:00:00Z'],
    [["-c", "c", "-n", "0"], '--limit "0": give a number from 1 to 100000000'],
    [
      ["-c", "c", "-f", "-o", "json"],
      "-f goes with tables, and for replies with -o ndjson and -o csv: the others have an end",
    ],
    [
      ["-c", "c", "-f", "-v", "loss", "-o", "csv"],
      "-f goes with tables, and for replies with -o ndjson and -o csv: the others have an end",
    ],
    [["-c", "c", "--bogus"], "Unknown option '--bogus'"],
  ])("%j", (args, message) => {
    expect(parseOptions("replies", args, nowMs)).toEqual({ kind: "wrong", message });
  });
});
