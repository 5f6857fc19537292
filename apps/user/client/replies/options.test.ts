import { afterAll, beforeAll, describe, expect, setSystemTime, test } from "bun:test";
import { parseGiven } from "../../../../lib/command/command/parse.ts";
import { formatPrefix } from "../../../../lib/net/ip/prefix.ts";
import { catchmentOptions, repliesOptions, resultArguments } from "./option-tables.ts";
import { resultsOrder } from "./options.ts";

const nowMs = Date.parse("2026-01-31T12:00:00Z");

beforeAll(() => {
  setSystemTime(nowMs);
});
afterAll(() => {
  setSystemTime();
});

function optionsOf(...args: string[]) {
  const given = parseGiven(args, repliesOptions, resultArguments);
  return resultsOrder(given.view, given);
}

test("a store is enough", () => {
  expect(optionsOf("--store", "chdb:d")).toEqual({
    place: { kind: "store", config: null, storeAddress: "chdb:d" },
    view: "replies",
    filter: {},
    limit: 1000,
    follow: false,
    format: "table",
    svg: null,
    againstGiven: null,
    context: { fields: null, folder: null, servers: [], isNamed: false },
    campaign: null,
  });
});

test("a campaign stands in place of a measurement, with the views that show runs", () => {
  const named = { given: "path watch" };
  const options = optionsOf("--campaign", "path watch", "-v", "series", "--gateway", "https://g.example");
  expect(options).toMatchObject({ place: { kind: "campaign" }, campaign: named });
  const store = optionsOf("--campaign", "path watch", "-v", "changes", "--store", "chdb:d");
  expect(store).toMatchObject({ place: { kind: "store" }, campaign: named });
});

test("a picture is of a view that has one, and goes into a file", () => {
  expect(optionsOf("--store", "s", "-v", "paths", "--svg", "-")).toMatchObject({ view: "paths", svg: "-" });
  expect(() => optionsOf("--store", "s", "--svg", "f")).toThrow("--svg draws paths");
  expect(() => optionsOf("--store", "s", "-v", "paths", "--svg", "f", "-o", "csv")).toThrow("--output");
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
  const given = parseGiven([id], catchmentOptions, resultArguments);
  expect(resultsOrder("catchment", given)).toMatchObject({ view: "catchment" });
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
  const { destination, source, ...filter } = options.filter;
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
    [[], "Give a measurement ID (list them: vantage measurements), or --store"],
    [
      ["m"],
      'MEASUREMENT "m" is not the id of a measurement, nor its first characters, nor last; ' +
        "vantage measurements lists yours",
    ],
    [["-c", "c", "--gateway", "https://g.example"], "--config does not go with --gateway"],
    [
      ["-s", "192.0.2.1", "6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55"],
      "--source is for a column store (--store, --config): the gateway shows your own measurements",
    ],
    [["-c", "c", "a", "b"], 'there is an argument too many: "b"'],
    [["-c", "c", ""], 'MEASUREMENT "" is empty'],
    [["-c", "c", "-a", ""], '--agent "" is empty'],
    [["-c", "c", "-v", "map"], '--view "map" is not one of replies, paths, loss, catchment, sites, mtu'],
    [["-c", "c", "-o", "xml"], '--output "xml" is not one of table, json, ndjson, csv'],
    [
      ["-c", "c", "-d", "192.0.2.1/24"],
      '--destination "192.0.2.1/24" is not an address or a prefix, as 192.0.2.0/24 or 2001:db8::1',
    ],
    [["-c", "c", "-s", "x"], '--source "x" is not an address or a prefix, as 192.0.2.0/24 or 2001:db8::1'],
    [["-c", "c", "--since", "soon"], '--since "soon" is not a time, as 30m, 2d or 2026-01-31T12:00:00Z'],
    [
      ["-c", "c", "--with", "asn,colour"],
      '--with "asn,colour" has "colour", which is not one of asn, ixp, geo',
    ],
    [["-c", "c", "--with", "path"], "--with path goes with -v paths, traces, not with -v replies"],
    [
      ["-c", "c", "-v", "loss", "--with", "asn"],
      "--with asn goes with -v replies, paths, traces, links, nodes, graph, not with -v loss",
    ],
    [["-c", "c", "-v", "paths", "--with", "path", "-o", "csv"], "does not go with -v paths -o csv"],
    [["-c", "c", "-v", "traces", "--with", "asn", "-o", "parquet"], "does not go with -v traces -o parquet"],
    [["--context", "d", "6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55"], "a gateway has sets of its own"],
    [["-c", "c", "-n", "0"], '--limit "0" is not a number from 1 to 100000000'],
    [
      ["-c", "c", "-f", "-o", "json"],
      "-f goes with tables, and for replies with -o ndjson and -o csv: the others have an end",
    ],
    [
      ["-c", "c", "-f", "-v", "loss", "-o", "csv"],
      "-f goes with tables, and for replies with -o ndjson and -o csv: the others have an end",
    ],
    [
      ["-c", "c", "--campaign", "x"],
      "--campaign goes with -v series, trend, heatmap, changes, links, nodes, graph, not with -v replies",
    ],
    [["-c", "c", "--campaign", "x", "-v", "series", "m"], "--campaign does not go with a MEASUREMENT"],
    [["-c", "c", "--bogus"], 'there is no option "--bogus"'],
  ])("%j", (args, message) => {
    expect(() => optionsOf(...args)).toThrow(message);
  });
});
