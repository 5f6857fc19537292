/** That the benches of packets work, on so few that their figures mean nothing; how fast is for `npm run bench`. */
import { afterAll, expect, test } from "bun:test";
import { BenchRun, comparisons, namespacesOf } from "./bench-run.ts";

const limitMs = 60_000;
/** Namespaces and raw sockets. */
const asRoot = test.skipIf(process.getuid?.() !== 0);
const bench = new BenchRun();
afterAll(() => bench[Symbol.dispose]());

asRoot(
  "send: every subject's packets arrive and are counted, and nothing stays behind",
  async () => {
    const { stdout, stderr, exitCode, left } = await bench.run(
      "send",
      "--count",
      "3000",
      "--rounds",
      "1",
      "--json",
    );
    expect(exitCode, stderr).toBe(0);
    const references = [...(Bun.which("zmap") === null ? [] : ["zmap"]), "sendmmsg.c", "af-xdp.c"];
    const parts = ["vantage", "vantage back end", "vantage lines to wire"];
    const ours = parts.flatMap((part) => [`${part} packet`, `${part} xdp`]);
    const expected = ["packets/s", "CPU µs/packet"].flatMap((unit) =>
      ours.flatMap((one) => references.map((other) => `${one} / ${other} ${unit}`)),
    );
    expect(comparisons(stdout, "send")).toEqual(expected);
    expect(left).toEqual([]);
  },
  limitMs,
);

asRoot(
  "send: ended in the middle, it leaves no namespace and no file",
  async () => {
    const child = bench.start("send");
    while (namespacesOf(child.pid).length < 2 && child.exitCode === null) {
      await Bun.sleep(5);
    }
    child.kill("SIGTERM");
    expect(await child.exited).toBe(143);
    expect(bench.leftBy(child.pid)).toEqual([]);
  },
  limitMs,
);

asRoot(
  "receive: what the engine and agents take, beside what was sent",
  async () => {
    const { stdout, stderr, exitCode, left } = await bench.run(
      ...["receive", "--count", "200000", "--rounds", "1", "--json"],
    );
    expect(exitCode, stderr).toBe(0);
    const ends = ["embedded, 64 a record", "embedded, 1 a record", "Kafka, 64 a record"];
    const agents = [...ends, "rows of the store, 64 a record"];
    const ours = ["vantage engine", ...agents.map((name) => `vantage agent to ${name}`)];
    const rates = stdout.split("\n").filter((line) => line.includes("replies/s"));
    expect(comparisons(rates.join("\n"), "receive")).toEqual(
      ours.map((name) => `${name} / flood.c alone replies/s`),
    );
    expect(left).toEqual([]);
  },
  limitMs,
);

test(
  "latency: every row is seen, and nothing stays behind",
  async () => {
    const { stdout, stderr, exitCode, left } = await bench.run(
      ...["latency", "--count", "5", "--rounds", "1", "--json"],
    );
    expect(exitCode, stderr).toBe(0);
    const [median = ""] = stdout.split("\n");
    expect(comparisons(median, "latency")).toEqual(["vantage / limit ms (median)"]);
    expect(left).toEqual([]);
  },
  limitMs,
);

test(
  "parse: ours and tcpdump read the same file, ours finds every reply",
  async () => {
    const { stdout, stderr, exitCode, left } = await bench.run(
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
    const { stdout, stderr, exitCode, left } = await bench.run(
      "rtt",
      "--count",
      "5",
      "--rounds",
      "1",
      "--json",
    );
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
    const { stdout, stderr, exitCode, left } = await bench.run(
      "rate",
      "--count",
      "300",
      "--rounds",
      "1",
      "--json",
    );
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
    const { stdout, stderr, exitCode } = await bench.run(
      "store",
      "--count",
      "2000",
      "--rounds",
      "1",
      "--json",
    );
    expect(exitCode, stderr).toBe(0);
    const ours = ["vantage", "vantage, 100 replies a record"];
    expect(comparisons(stdout, "store")).toEqual(ours.map((name) => `${name} / objects, JSONEachRow rows/s`));
  },
  limitMs,
);

test("broker: both engines take and give both kinds of records", async () => {
  const { stdout, stderr, exitCode, left } = await bench.run(
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
    const { stdout, stderr, exitCode, left } = await bench.run(
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
  const { stdout } = await bench.run("parse", "--count", "1000", "--rounds", "2");
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
  const { stderr, exitCode } = await bench.run(...args);
  expect([exitCode, stderr.split("\n")[0]]).toEqual([code, text]);
});

test("--help says what there is", async () => {
  const { stdout, exitCode } = await bench.run("--help");
  expect([exitCode, stdout.includes("send") && stdout.includes("--rounds")]).toEqual([0, true]);
});

asRoot(
  "idle: an agent without work beside its limits",
  async () => {
    const { stdout, stderr, exitCode } = await bench.run("idle", "--count", "1", "--rounds", "1", "--json");
    expect(exitCode, stderr).toBe(0);
    expect(comparisons(stdout, "idle")).toEqual([
      "vantage agent / limit % of a core",
      "vantage agent / limit MB",
    ]);
  },
  limitMs,
);

asRoot(
  "memory: every line of each size is on the wire, and nothing stays behind",
  async () => {
    const { stdout, stderr, exitCode, left } = await bench.run(
      "memory",
      "--count",
      "20000",
      "--rounds",
      "1",
      "--json",
    );
    expect(exitCode, stderr).toBe(0);
    const compared = stdout.split("\n").filter((line) => line.includes(" MB"));
    expect(comparisons(compared.join("\n"), "memory")).toEqual([
      "10,000 probes / limit client MB",
      "10,000 probes / limit agent MB",
    ]);
    expect(stdout).toContain('"CPU µs/probe"');
    expect(left).toEqual([]);
  },
  limitMs,
);
