/**
 * Every command that a user needs, on a machine where no native library can be loaded, as on macOS and Windows: each
 * does its work at a real gateway with a store and an issuer, and asks for none.
 */
import "./with-store.ts";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { approveDevice } from "../../issuer/device-login.ts";
import { longTest } from "../../run/long-test.ts";
import { saidBy } from "../../run/said.ts";
import { newestOf } from "./newest-measurement.ts";
import { RefusedLibraries } from "./refused-libraries.ts";
import { place, store, west } from "./shared-place.ts";

const user = "nora";
const target = "203.0.113.9";
const folder = mkdtempSync(join(tmpdir(), "vantage-no-native-"));
let refused: RefusedLibraries;

beforeAll(async () => {
  refused = await RefusedLibraries.make();
  await place.logIn(user);
});
afterAll(() => {
  refused?.[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

/** Runs one that has to succeed, and to load nothing; its output. */
async function run(args: readonly string[], input = ""): Promise<string> {
  const said = await place.run(user, args, { input, environment: refused.environment });
  expect({ args, ...said, refused: refused.taken() }).toMatchObject({ exitCode: 0, refused: [] });
  return said.stdout;
}

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const answer = (measurement: string, ttl: number) => ({
  ...{ measurement, agent: "west", source: "192.0.2.7", destination: target, srcPort: 24_000, ttl },
  from: ttl === 4 ? target : `198.51.100.${ttl}`,
  icmp: ttl === 4 ? ([3, 3] as const) : ([11, 0] as const),
  rttTenthMs: 10 * ttl,
});

test("login, by a code in a browser, and logout", async () => {
  const own = { ...refused.environment, XDG_CONFIG_HOME: join(folder, "settings") };
  const child = place.start(user, ["login", "--gateway", place.address, "-o", "json"], own);
  let said = "";
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
    said += text;
    const [, url] = /or open +(\S+)/.exec(said) ?? [];
    if (url !== undefined && said.endsWith("…\n")) {
      await approveDevice(url, user);
    }
  }
  expect(JSON.parse(await new Response(child.stdout).text())).toMatchObject({ gateway: place.address });
  const ended = await place.run(user, ["logout"], { environment: own });
  expect([ended.exitCode, refused.taken()]).toEqual([0, []]);
});

test.each([
  [["whoami"], "profile "],
  [["limits"], "probes"],
  [["agents"], "west"],
  [["profiles"], "test"],
  [["help", "send"], "Examples"],
  [["completions", "bash"], "complete"],
  [["probes", "192.0.2.1"], "192.0.2.1,"],
  [["measurements"], ""],
  [["token", "list"], ""],
  [["alerts"], ""],
  [["sql", "SELECT count() AS n FROM replies"], "n"],
  [["mcp", "--budget", "0"], ""],
] as const)("%p", async (args, words) => {
  expect(await run([...args])).toContain(words);
});

test.each([
  ["trace", [], 4],
  ["ping", ["-c", "4", "-p", "udp"], 4],
] as const)("%s --from", async (command, more, sent) => {
  const traced = command === "trace" ? ["--flows", "1", "-q", "1", "-m", "4"] : more;
  const args = [command, "--from", "west", "--src-port", "24000", ...traced, "-o", "ndjson", target];
  const own = `${user}-${command}`;
  await place.logIn(own);
  const child = place.start(own, args, refused.environment);
  const { measurement_id: id } = await newestOf(own);
  const ttls = command === "trace" ? [1, 2, 3, 4] : [];
  const echo = { ...answer(id, 64), from: target, icmp: [3, 3] as const };
  const pings = [0, 1, 2, 3].map((k) => ({ ...echo, timeMs: Date.now() + 50 * k }));
  await store.insertReplies(command === "trace" ? ttls.map((ttl) => answer(id, ttl)) : pings);
  await west.report(id, { sent_probes: sent, is_complete: true, received_replies: sent });
  const { stdout, stderr, exitCode } = await saidBy(child);
  expect({ stderr, exitCode, refused: refused.taken() }).toMatchObject({ exitCode: 0, refused: [] });
  expect(stdout).toContain(target);
});

test("send, follow, show, label, replies in each form, export, share, cancel", async () => {
  const lines = [1, 2, 3, 4].map((ttl) => `${target},24000,33434,${ttl},udp\n`).join("");
  const sent = JSON.parse(await run(["send", "-a", "west", "-o", "json", "-"], lines));
  const id = String([sent].flat()[0].measurement_id);
  await store.insertReplies([1, 2, 3, 4].map((ttl) => answer(id, ttl)));
  await west.report(id, { sent_probes: 4, is_complete: true, received_replies: 4 });
  await run(["follow", id]);
  expect(await run(["show", id])).toContain("west");
  await run(["label", id, "--name", "no native"]);
  expect(await run(["replies", id, "-o", "csv"])).toContain("198.51.100.2");
  expect(await run(["replies", "-v", "paths", id])).toContain(target);
  expect((await run(["replies", "-v", "replies", "-o", "parquet", id])).length).toBeGreaterThan(100);
  expect(await run(["replies", "-v", "traces", "-o", "atlas", id])).toContain('"dst_addr"');
  await run(["catchment", id]);
  await run(["packets", id]);
  await run(["export", "--out", join(folder, "frozen"), id]);
  await run(["export", "--verify", join(folder, "frozen")]);
  expect(await run(["share", id, "--link"])).toContain("/shared/");
  await run(["share", id, "--revoke"]);
  await run(["cancel", id]);
});

longTest("campaign, discover and experiment", async () => {
  const watch = `name: no native\nagents: [west]\ntargets: [${target}]\nevery: 1d\nmax_runs: 2\n`;
  const file = written("watch.yaml", watch);
  await run(["campaign", "create", "--check", file]);
  await run(["campaign", "create", file]);
  for (const verb of ["show", "runs", "pause", "resume", "stop", "remove"]) {
    await run(["campaign", verb, "no native"]);
  }
  await run(["campaign", "list"]);
  await run(["discover", "-a", "west", "--targets", "203.0.113.0/24", "--check"]);
  await run(["discover", "list"]);
  const plan = `experiment: one\nprefix: 2001:db8:51::/48
probe: { agents: [west], targets: ["2001:db8:9::1"], protocol: icmpv6, rate: 500 }
steps:
  - { at: 0m, announce: { sites: [west] }, probe: { catchment: { after: 20m, times: 1 } } }
`;
  await run(["experiment", "check", written("plan.yaml", plan)]);
});

longTest("token", async () => {
  const made = JSON.parse(await run(["token", "create", "one", "--scopes=measurements:read", "-o", "json"]));
  await run(["token", "list"]);
  await run(["token", "revoke", String([made].flat()[0].id)]);
});

test.each(["trace", "ping"])("%s from here says in one sentence what it needs", async (command) => {
  const said = await place.run(user, [command, "127.0.0.1"], { environment: refused.environment });
  expect(said).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: [
      `vantage ${command}: Cannot ${command} from this machine, as packets need Linux with glibc and libpcap: let ` +
        `agents of a gateway do it (vantage ${command} --from AGENT)`,
    ],
  });
  expect(refused.taken()).toContain("libc.so.6");
});
