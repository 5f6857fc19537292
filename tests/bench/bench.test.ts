/** That the benches work, on so few packets that their figures mean nothing; how fast is for `npm run bench`. */
import { afterAll, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { namespaceFolder } from "../lab/namespaces.ts";

const limitMs = 60_000;
/** Namespaces and raw sockets. */
const asRoot = test.skipIf(process.getuid?.() !== 0);
/** Each bench makes its folder here, so that what it leaves behind shows. */
const folder = mkdtempSync(join(tmpdir(), "vantage-bench-test-"));
// PostgreSQL works in it as a user of its own.
chmodSync(folder, 0o711);
afterAll(() => rmSync(folder, { recursive: true }));

function start(...args: string[]) {
  return Bun.spawn([process.execPath, join(import.meta.dirname, "main.ts"), ...args], {
    env: { ...process.env, TMPDIR: folder },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

async function run(...args: string[]) {
  const child = start(...args);
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, exitCode, left: [...namespacesOf(child.pid), ...readdirSync(folder)] };
}

function namespacesOf(pid: number): string[] {
  const all = existsSync(namespaceFolder) ? readdirSync(namespaceFolder) : [];
  return all.filter((name) => name.startsWith(`vbench${pid}-`));
}

/** `subject / reference unit`, in order, after a look at the figures of each line. */
function comparisons(jsonLines: string, bench: string): string[] {
  return jsonLines
    .trim()
    .split("\n")
    .map((line) => {
      const { subject, reference, value, referenceValue, unit, ratio, rounds, ...rest } = JSON.parse(line);
      expect(rest).toEqual({ bench });
      expect(value).toBeGreaterThan(0);
      expect(referenceValue).toBeGreaterThan(0);
      expect(ratio).toBeCloseTo(value / referenceValue, 2);
      expect(rounds).toBe(1);
      return `${subject} / ${reference} ${unit}`;
    });
}

asRoot(
  "send: every subject's packets arrive and are counted, and nothing stays behind",
  async () => {
    const { stdout, stderr, exitCode, left } = await run(
      "send",
      "--count",
      "3000",
      "--rounds",
      "1",
      "--json",
    );
    expect(exitCode, stderr).toBe(0);
    const references = Bun.which("zmap") === null ? ["sendmmsg.c"] : ["zmap", "sendmmsg.c"];
    const expected = ["packets/s", "CPU µs/packet"].flatMap((unit) =>
      ["vantage", "vantage back end"].flatMap((ours) =>
        references.map((other) => `${ours} / ${other} ${unit}`),
      ),
    );
    expect(comparisons(stdout, "send")).toEqual(expected);
    expect(left).toEqual([]);
  },
  limitMs,
);

asRoot(
  "send: ended in the middle, it leaves no namespace and no file",
  async () => {
    const child = start("send");
    while (namespacesOf(child.pid).length < 2 && child.exitCode === null) {
      await Bun.sleep(5);
    }
    child.kill("SIGTERM");
    expect(await child.exited).toBe(143);
    expect([...namespacesOf(child.pid), ...readdirSync(folder)]).toEqual([]);
  },
  limitMs,
);

test(
  "parse: ours and tcpdump read the same file, ours finds every reply",
  async () => {
    const { stdout, stderr, exitCode, left } = await run(
      "parse",
      "--count",
      "40000",
      "--rounds",
      "1",
      "--json",
    );
    expect(exitCode, stderr).toBe(0);
    expect(comparisons(stdout, "parse")).toEqual(["vantage / tcpdump replies/s"]);
    expect(left).toEqual([]);
  },
  limitMs,
);

test(
  "rtt: round-trip times beside the delays that were added",
  async () => {
    const { stdout, stderr, exitCode, left } = await run("rtt", "--count", "5", "--rounds", "1", "--json");
    expect(exitCode, stderr).toBe(0);
    expect(comparisons(stdout, "rtt").slice(0, 3)).toEqual([
      "udp / added delay RTT at 5 ms (ms)",
      "icmp / added delay RTT at 5 ms (ms)",
      "tcp / added delay RTT at 5 ms (ms)",
    ]);
    expect(left).toEqual([]);
  },
  limitMs,
);

test(
  "rate: what arrives beside what was asked for",
  async () => {
    const { stdout, stderr, exitCode, left } = await run("rate", "--count", "300", "--rounds", "1", "--json");
    expect(exitCode, stderr).toBe(0);
    expect(comparisons(stdout, "rate")).toEqual([
      "vantage / asked for at 10 packets/s",
      "vantage / asked for at 1,000 packets/s",
      "vantage / asked for at 100,000 packets/s",
    ]);
    expect(left).toEqual([]);
  },
  limitMs,
);

test(
  "store: blocks and objects are both stored, every one",
  async () => {
    const { stdout, stderr, exitCode } = await run("store", "--count", "2000", "--rounds", "1", "--json");
    expect(exitCode, stderr).toBe(0);
    const ours = ["vantage", "vantage, 100 replies a record"];
    expect(comparisons(stdout, "store")).toEqual(ours.map((name) => `${name} / objects, JSONEachRow rows/s`));
  },
  limitMs,
);

test("broker: both engines take and give both kinds of records", async () => {
  const { stdout, stderr, exitCode, left } = await run(
    ...["broker", "--count", "2000", "--rounds", "1", "--json"],
  );
  expect(exitCode, stderr).toBe(0);
  const units = ["probe records/s in", "probe records/s out", "reply records/s in", "reply records/s out"];
  expect(comparisons(stdout, "broker")).toEqual(units.map((unit) => `embedded / kafka ${unit}`));
  expect(left).toEqual([]);
}, 180_000);

test(
  "pipeline: from lines to rows, and what each process takes",
  async () => {
    const { stdout, stderr, exitCode, left } = await run(
      "pipeline",
      "--count",
      "400",
      "--rounds",
      "1",
      "--json",
    );
    expect(exitCode, stderr).toBe(0);
    const found = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(found.map(({ subject, unit }) => `${subject} ${unit}`)).toEqual([
      "whole pipeline rows/s",
      ...["agent", "ingester", "store", "client"].map((part) => `${part} CPU s`),
      ...["agent", "ingester", "store", "client"].map((part) => `${part} peak MB`),
    ]);
    expect(found.every(({ value }) => value > 0)).toBe(true);
    expect(left).toEqual([]);
  },
  limitMs,
);

test("the table for people has a row for each subject", async () => {
  const { stdout } = await run("parse", "--count", "1000", "--rounds", "2");
  const [title, , header, ours, reference] = stdout.split("\n");
  expect(title).toBe("Reading 1000 ICMP time exceeded, half IPv4, half IPv6, median of 2 rounds");
  expect(header).toMatch(/^ +replies\/s +min – max$/);
  expect([ours, reference].map((line) => line?.split(/\s+/)[0])).toEqual(["vantage", "tcpdump"]);
});

test.each([
  [[], 2, "Name a bench"],
  [["run"], 2, 'Unknown bench "run"'],
  [["parse", "--rounds", "none"], 2, 'Cannot use --rounds "none": it takes a whole number from 1 on'],
  [["parse", "--loud"], 2, "Unknown option '--loud'"],
])("bad usage %p is refused in one line", async (args, code, text) => {
  const { stderr, exitCode } = await run(...args);
  expect([exitCode, stderr.split("\n")[0]]).toEqual([code, text]);
});

test("--help says what there is", async () => {
  const { stdout, exitCode } = await run("--help");
  expect([exitCode, stdout.includes("send") && stdout.includes("--rounds")]).toEqual([0, true]);
});

test(
  "memory: client and agent take every line, and nothing stays behind",
  async () => {
    const { stdout, stderr, exitCode, left } = await run(
      "memory",
      "--count",
      "20000",
      "--rounds",
      "1",
      "--json",
    );
    expect(exitCode, stderr).toBe(0);
    expect(comparisons(stdout, "memory")).toEqual([
      "vantage client / limit MB",
      "vantage agent, dry run / limit MB",
    ]);
    expect(left).toEqual([]);
  },
  limitMs,
);

test(
  "gateway: every request is answered, and nothing stays behind",
  async () => {
    const { stdout, stderr, exitCode, left } = await run(
      "gateway",
      "--count",
      "1",
      "--rounds",
      "1",
      "--json",
    );
    expect(exitCode, stderr).toBe(0);
    const requests = ["GET /api/agents", "GET /api/user/me", ...[1, 1000, 10_000].map(submission)];
    const figures = ["requests/s", "p99 ms", "MB"];
    expect(comparisons(stdout, "gateway")).toEqual(
      requests.flatMap((request) =>
        figures.map((figure) => `vantage / existing gateways ${request}: ${figure}`),
      ),
    );
    expect(left).toEqual([]);
  },
  limitMs,
);

function submission(probes: number): string {
  return `POST /api/probes, ${probes} probes`;
}

test(
  "gateway-memory: every line is published, and nothing stays behind",
  async () => {
    const { stdout, stderr, exitCode, left } = await run(
      "gateway-memory",
      "--count",
      "20000",
      "--rounds",
      "1",
      "--json",
    );
    expect(exitCode, stderr).toBe(0);
    expect(comparisons(stdout, "gateway-memory")).toEqual(["vantage probing-gateway / limit MB"]);
    expect(left).toEqual([]);
  },
  limitMs,
);

test(
  "peering: every request is answered, and nothing stays behind",
  async () => {
    const { stdout, stderr, exitCode, left } = await run(
      "peering",
      "--count",
      "1",
      "--rounds",
      "1",
      "--json",
    );
    expect(exitCode, stderr).toBe(0);
    const requests = ["POST /api/user/prefix", "GET /api/user/info"].flatMap((request) =>
      ["requests/s", "p99 ms", "MB"].map(
        (figure) => `vantage / existing gateways ${request}, pool of 65,536: ${figure}`,
      ),
    );
    const mappings = "vantage / limit GET /service/mappings, 1,000 users: ms";
    expect(comparisons(stdout, "peering")).toEqual([...requests, mappings]);
    expect(left).toEqual([]);
  },
  limitMs,
);
