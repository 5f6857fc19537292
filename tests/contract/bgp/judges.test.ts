/**
 * Foreign readers find the same routes in generated UPDATEs: paths, aggregators, next hops, communities (RFC 6793).
 * bgpdump agrees in all; bgpkit-parser differs where the table below says, in which we follow the RFCs.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { formatAsPath } from "../../../lib/net/bgp/as-path.ts";
import { eventsOfRecord } from "../../../lib/net/bgp/mrt-message.ts";
import type { RouteEvent } from "../../../lib/net/bgp/route-event.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { formatPrefix } from "../../../lib/net/ip/prefix.ts";
import { pythonFolder } from "../../run/python-folder.ts";
import { runToEnd } from "../../run/said.ts";
import { type RandomUpdate, randomUpdate, recordOf } from "./random-updates.ts";

/** The last version with a wheel for Debian 12: later ones are compiled, with some 300 crates. */
const bgpkit = "pybgpkit-parser==0.6.2";
const updates = fc.sample(randomUpdate, { numRuns: 4000, seed: 36 });
const records = updates.map(recordOf);

let folder: string;
let file: string;
beforeAll(async () => {
  await pythonFolder(bgpkit);
  folder = mkdtempSync(join(tmpdir(), "vantage-judges-"));
  file = join(folder, "updates.mrt");
  await Bun.write(file, Buffer.concat(records));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A route as all of them can write it. */
interface ReadRoute {
  readonly prefix: string;
  readonly path: string;
  readonly origin: string;
  readonly nextHop: string;
  readonly communities: string;
  /** AS number and address. */
  readonly aggregator: string;
}

function ownRoute({ route, attributes }: RouteEvent): ReadRoute {
  const { asPath, origin, nextHop, communities, aggregator } = attributes;
  return {
    prefix: route === null ? "" : formatPrefix(route.prefix),
    path: formatAsPath(asPath),
    origin: origin ?? "",
    nextHop: nextHop === null ? "" : formatAddress(nextHop),
    communities: communities.map((one) => one.join(":")).join(" "),
    aggregator: aggregator === null ? "" : `${aggregator.asn} ${formatAddress(aggregator.address)}`,
  };
}

function ownRoutes(record: Buffer): ReadRoute[] {
  const [timeSec, type, subtype] = [record.readUInt32BE(0), record.readUInt16BE(4), record.readUInt16BE(6)];
  return eventsOfRecord({ timeSec, type, subtype, body: record.subarray(12) }).map(ownRoute);
}

async function linesOf(command: readonly string[]): Promise<string[]> {
  const { stdout } = await runToEnd([...command, file]);
  return stdout.trim().split("\n");
}

test("bgpdump reads the same from 4,000 UPDATEs", async () => {
  const theirs = (await linesOf(["bgpdump", "-m"])).map((line) => {
    const [
      ,
      ,
      ,
      ,
      ,
      prefix = "",
      path = "",
      origin = "",
      nextHop = "",
      ,
      ,
      communities = "",
      ,
      aggregator = "",
    ] = line.split("|");
    return JSON.stringify({ prefix, path, origin, nextHop, communities, aggregator });
  });
  expect(theirs.length).toBeGreaterThan(records.length);
  const ours = records.flatMap(ownRoutes).map((route) => JSON.stringify(route));
  expect(ours.sort()).toEqual(theirs.sort());
});

interface Difference {
  readonly field: keyof ReadRoute;
  /** What bgpkit-parser does. */
  readonly what: string;
  /** The section that we follow. */
  readonly rfc: string;
  readonly isOf: (update: RandomUpdate) => boolean;
}

const isOutdated = ({ asnBytes, aggregator }: RandomUpdate) =>
  asnBytes === 2 && aggregator === "narrow with wide";

const differences: readonly Difference[] = [
  {
    ...{ field: "path", what: "it takes AS4_PATH in sessions of four bytes", rfc: "RFC 6793 s.6" },
    isOf: ({ asnBytes }) => asnBytes === 4,
  },
  {
    ...{
      field: "path",
      what: "it takes AS4_PATH beside an AGGREGATOR of another AS",
      rfc: "RFC 6793 s.4.2.3",
    },
    isOf: isOutdated,
  },
  {
    ...{
      field: "aggregator",
      what: "it takes AS4_AGGREGATOR in sessions of four bytes",
      rfc: "RFC 6793 s.6",
    },
    isOf: ({ asnBytes }) => asnBytes === 4,
  },
  {
    field: "aggregator",
    ...{ what: "it takes AS4_AGGREGATOR beside an AGGREGATOR of another AS", rfc: "RFC 6793 s.4.2.3" },
    isOf: isOutdated,
  },
  {
    ...{ field: "aggregator", what: "it takes AS4_AGGREGATOR without AGGREGATOR", rfc: "RFC 6793 s.4.2.3" },
    isOf: ({ asnBytes, aggregator }) => asnBytes === 2 && aggregator === "wide alone",
  },
  {
    ...{ field: "nextHop", what: "both families have the next hop of NEXT_HOP", rfc: "RFC 4760 s.3" },
    isOf: ({ families }) => families === "both",
  },
];

const program = `
import json, sys
import pybgpkit_parser
for one in pybgpkit_parser.Parser(url=sys.argv[1]):
    aggregator = "" if one.aggr_asn is None else f"{one.aggr_asn} {one.aggr_ip}"
    row = {"prefix": one.prefix, "path": one.as_path or "", "origin": one.origin, "nextHop": one.next_hop}
    print(json.dumps({**row, "communities": " ".join(one.communities or []), "aggregator": aggregator}))
`;

test("bgpkit-parser differs in the known ways alone", async () => {
  const python = join(await pythonFolder(bgpkit), "bin/python");
  const theirs = (await linesOf([python, "-c", program])).map((line) => JSON.parse(line) as ReadRoute);
  const byPrefix = new Map(theirs.map((route) => [route.prefix, route]));
  const met = new Set<Difference>();
  let routes = 0;
  for (const [i, record] of records.entries()) {
    for (const own of ownRoutes(record)) {
      routes++;
      const update = updates[i];
      const other = byPrefix.get(own.prefix);
      for (const field of Object.keys(own) as (keyof ReadRoute)[]) {
        if (update === undefined || own[field] === other?.[field]) {
          continue;
        }
        const known = differences.find((one) => one.field === field && one.isOf(update));
        expect({ update, field, own: own[field], other: other?.[field], known: known?.what }).toMatchObject({
          known: expect.any(String),
        });
        met.add(known ?? expect.unreachable());
      }
    }
  }
  expect([theirs.length, byPrefix.size]).toEqual([routes, routes]);
  expect(differences.filter((one) => !met.has(one))).toEqual([]);
});
