/**
 * The configurations of users' routing daemons, whole; a real BIRD, and FRR's own reader, read them.
 *
 * `VANTAGE_GOLDEN=write bun test tests/golden` writes the files; look at the difference before you commit it.
 */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { birdConf } from "../../../apps/peering/bootstrap/daemon/bird-conf.ts";
import { frrConf } from "../../../apps/peering/bootstrap/daemon/frr-conf.ts";
import { type PlanInput, sessionPlan } from "../../../apps/peering/bootstrap/daemon/session-plan.ts";
import { birdComplaint } from "../../exchange/bird-parses.ts";
import { birds } from "../../exchange/birds.ts";
import { compareIn } from "../kept-file.ts";

const one = "2001:db8:1000::/48";
const two = "2001:db8:2001::/48";
const three = "2001:db8:2002::/48";
const exchange = (n: number) => ({ name: `ixp-${n}`, address: `100.64.0.${n}`, isOnline: true });
const common = {
  asn: 65_011,
  platformAsn: 64_500,
  ownAddress: "100.64.0.11",
  device: "tailscale0",
  port: 179,
  orders: [],
  withheld: new Set<string>(),
};

const scenes: Readonly<Record<string, PlanInput>> = {
  receive: { ...common, prefixes: [], exchanges: [exchange(1)] },
  one: { ...common, prefixes: [one], exchanges: [exchange(1), exchange(2)] },
  list: {
    ...common,
    prefixes: [one, two, three],
    exchanges: [exchange(1), exchange(2), exchange(3)],
    orders: [
      { prefix: one, exchange: "ixp-1", announce: true, prepend: 2 },
      { prefix: two, exchange: null, announce: false, prepend: 0 },
      { prefix: two, exchange: "ixp-2", announce: true, prepend: 0 },
    ],
    withheld: new Set([three]),
  },
  attributes: {
    ...common,
    prefixes: [one, two],
    exchanges: [exchange(1), exchange(2)],
    orders: [
      {
        ...{ prefix: one, exchange: "ixp-1", announce: true, prepend: 1 },
        attributes: {
          ...{ blackhole: ["2001:db8:1000::5", "2001:db8:1000::99"] },
          ...{ poison: [3356, 1299], not_to: [64_496, 4_200_000_001], only_to: [64_497] },
          ...{ prepend_to: { "64498": 3 }, no_export: true, graceful_shutdown: true },
        },
      },
    ],
  },
  small: { ...common, port: 1180, prefixes: [one], exchanges: [exchange(1)] },
  alone: { ...common, prefixes: [one], exchanges: [] },
};

const compare = (name: string, output: string) => compareIn(import.meta.dirname, name, output);

test.each(Object.keys(scenes))("%s: BIRD's configuration is as kept, and each BIRD reads it", (name) => {
  const input = scenes[name];
  const { text } = birdConf(sessionPlan(input ?? raise(name)), {
    snippetsFolder: "/etc/bird/snippets",
    log: "stderr",
  });
  compare(`${name}.bird.conf`, text);
  const beside = text.replace('include "/etc/bird/snippets/*.conf";', 'include "snippet.conf";');
  for (const { program } of birds) {
    expect(birdComplaint(beside, { "snippet.conf": "# nothing\n" }, program)).toBe("");
  }
});

test.each(Object.keys(scenes))("%s: FRR's configuration is as kept, and FRR reads it", async (name) => {
  const { text } = frrConf(sessionPlan(scenes[name] ?? raise(name)), { log: "syslog", snippets: "" });
  compare(`${name}.frr.conf`, text);
  expect(await frrComplaint(text)).toBe("");
});

test("the version changes with what is configured, and with nothing else", () => {
  const files = { snippetsFolder: "/etc/bird/snippets", log: "stderr" } as const;
  const versions = Object.values(scenes).map((scene) => birdConf(sessionPlan(scene), files).version);
  expect(new Set(versions).size).toBe(versions.length);
  expect(Object.values(scenes).map((scene) => birdConf(sessionPlan(scene), files).version)).toEqual(versions);
});

/** What `vtysh -C` complains of; empty when it reads all. */
async function frrComplaint(text: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "vantage-frr-"));
  try {
    const file = join(folder, "frr.conf");
    writeFileSync(file, text);
    const child = Bun.spawn(["vtysh", "-C", "--config_dir", folder, "-f", file], {
      stdout: "pipe",
      stderr: "pipe",
    });
    const [said, complained] = await Promise.all(
      [child.stdout, child.stderr].map((out) => new Response(out).text()),
    );
    return (await child.exited) === 0 ? "" : `${said}${complained}` || `exit code ${child.exitCode}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function raise(name: string): never {
  throw new Error(`There is no scene ${name}`);
}
