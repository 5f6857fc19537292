/** What the networks outside are started with; what they do is in tests/lab/exchange/stack-outside.test.ts. */
import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Bird } from "../../../../tests/exchange/daemon.ts";
import { readSettings } from "../../../peering/exchange/settings.ts";
import { mrtBytesMax } from "../../limits.ts";
import { collectorConf } from "./bird-confs.ts";
import { rotate } from "./collector.ts";
import { hasUpstreams } from "./outside.ts";
import { outsideSettings, upstreams } from "./plan.ts";

function settings(outside: string) {
  const text = `exchange: {asn: 64500, router_id: 192.0.2.1, tunnel_address: 100.64.0.1}
platform: {prefixes: ["2001:db8:2000::/40"], infrastructure_prefix: "2001:db8:ffff::/48"}
rpki: {host: 127.0.0.1}
${outside}
`;
  return readSettings({ name: "exchange.yaml", text }, {});
}

test("the exchange's settings have both upstreams, and refuse neither as a bogon", () => {
  const made = settings(outsideSettings);
  expect(hasUpstreams(made)).toBe(true);
  expect(made.outside.bogon_asns).not.toContain("64496-64511");
});

test("settings of an earlier version, or changed ones, start no upstreams", () => {
  expect(hasUpstreams(settings("neighbors: []"))).toBe(false);
  const [first, second] = upstreams;
  expect(hasUpstreams(settings(outsideSettings.replace(`asn: ${second.asn}`, `asn: ${first.asn}`)))).toBe(
    false,
  );
});

test("a file of updates that is too large is put aside, and BIRD writes into a new one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-outside-"));
  try {
    const [file, mrt] = [join(folder, "collector.conf"), join(folder, "updates.mrt")];
    writeFileSync(file, collectorConf(mrt));
    await using _bird = await Bird.start("bird", {
      ...{ folder, file },
      within: (command) => ["setpriv", "--pdeathsig", "KILL", ...command],
    });
    const paths = { state: join(folder, "collector"), mrt, birdSocket: join(folder, "bird.ctl") };
    await rotate(paths);
    expect(existsSync(`${mrt}.before`)).toBe(false);
    truncateSync(mrt, mrtBytesMax + 1);
    await rotate(paths);
    expect([statSync(`${mrt}.before`).size, statSync(mrt).size]).toEqual([mrtBytesMax + 1, 0]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
