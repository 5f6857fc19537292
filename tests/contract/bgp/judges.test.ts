/** bgpdump reads the same routes from generated UPDATEs: paths, aggregators, next hops, communities (RFC 6793). */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { formatAsPath } from "../../../lib/net/bgp/as-path.ts";
import { eventsOfRecord } from "../../../lib/net/bgp/mrt-message.ts";
import type { RouteEvent } from "../../../lib/net/bgp/route-event.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { formatPrefix } from "../../../lib/net/ip/prefix.ts";
import { runToEnd } from "../../run/said.ts";
import { randomUpdate, recordOf } from "./random-updates.ts";

const updates = fc.sample(randomUpdate, { numRuns: 4000, seed: 36 });
const records = updates.map(recordOf);

/** As bgpdump -m writes the fields that both have. */
function lineOf({ route, attributes }: RouteEvent): string {
  const { asPath, origin, nextHop, communities, aggregator } = attributes;
  return [
    route === null ? "" : formatPrefix(route.prefix),
    ...[formatAsPath(asPath), origin, nextHop === null ? "" : formatAddress(nextHop)],
    communities.map((one) => one.join(":")).join(" "),
    aggregator === null ? "" : `${aggregator.asn} ${formatAddress(aggregator.address)}`,
  ].join("|");
}

function ourLines(): string[] {
  return records.flatMap((record) => {
    const [timeSec, type, subtype] = [record.readUInt32BE(0), record.readUInt16BE(4), record.readUInt16BE(6)];
    return eventsOfRecord({ timeSec, type, subtype, body: record.subarray(12) }).map(lineOf);
  });
}

async function bgpdumpLines(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "vantage-judges-"));
  try {
    const file = join(folder, "updates.mrt");
    await Bun.write(file, Buffer.concat(records));
    const { stdout } = await runToEnd(["bgpdump", "-m", file]);
    return stdout
      .trim()
      .split("\n")
      .map((line) => {
        const [, , , , , prefix, path, origin, nextHop, , , communities, , aggregator] = line.split("|");
        return [prefix, path, origin, nextHop, communities, aggregator].join("|");
      });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("bgpdump reads the same from 4,000 UPDATEs", async () => {
  const theirs = await bgpdumpLines();
  expect(theirs.length).toBeGreaterThan(records.length);
  expect(ourLines().sort()).toEqual(theirs.sort());
});
