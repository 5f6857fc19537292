/**
 * That the benches of packets work, on so few that their figures mean nothing; how fast is for `npm run bench`.
 *
 * @tier long: a bench that works changes seldom, and takes both cores
 */
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
    const figures = await bench.figures("send", "--count=3000");
    const scanners = ["zmap", "masscan"].filter((name) => Bun.which(name) !== null);
    const references = [...scanners, "sendmmsg.c", "af-xdp.c"];
    const parts = ["vantage", "vantage back end", "vantage lines to wire"];
    const ours = parts.flatMap((part) => [`${part} packet`, `${part} xdp`]);
    const expected = ["packets/s", "CPU µs/packet", "peak MB"].flatMap((unit) =>
      ours.flatMap((one) => references.map((other) => `${one} / ${other} ${unit}`)),
    );
    expect(comparisons(figures, "send")).toEqual(expected);
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

test(
  "store: interrupted while its store runs, it leaves no file",
  async () => {
    const child = bench.start("store", "--count=20000");
    const storeIsThere = () =>
      bench.leftBy(child.pid).some((path) => /vantage-store-test-\w+\/store$/.test(path));
    while (!storeIsThere() && child.exitCode === null) {
      await Bun.sleep(5);
    }
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
    expect(bench.leftBy(child.pid)).toEqual([]);
  },
  limitMs,
);

asRoot(
  "sized: both back ends and both C loops send frames of 1,400 bytes",
  async () => {
    const figures = await bench.figures("sized", "--count=2000");
    const rates = figures.map((line) => JSON.parse(line)).filter(({ unit }) => unit === "packets/s");
    // Each beside each of the two loops.
    const names = ["packet", "packet", "xdp", "xdp"].map((name) => `vantage back end ${name}`);
    expect(rates.map(({ subject }) => subject)).toEqual(names);
  },
  limitMs,
);

asRoot(
  "departure: the time codes of what arrives, by each back end, and none that comes before its tick",
  async () => {
    const figures = await bench.figures("departure", "--count=200");
    const shares = figures.map((line) => JSON.parse(line)).filter(({ unit }) => unit.startsWith("%"));
    const backEnds = ["packet", "xdp"];
    const subjects = ["10,000/s", "300,000/s"].flatMap((rate) => backEnds.map((name) => `${name}, ${rate}`));
    expect(shares.map(({ subject }) => subject)).toEqual(subjects);
    for (const { value } of shares) {
      expect(value).toBeGreaterThan(0);
    }
  },
  limitMs,
);

asRoot(
  "receive: what the engine and agents take, beside what was sent",
  async () => {
    const figures = await bench.figures("receive", "--count=200000");
    const ends = ["embedded, 64 a record", "embedded, 1 a record", "Kafka, 64 a record"];
    const agents = [...ends, "rows of the store, 64 a record"];
    const ours = ["vantage engine", ...agents.map((name) => `vantage agent to ${name}`)];
    const rates = figures.filter((line) => line.includes("replies/s"));
    expect(comparisons(rates, "receive")).toEqual(ours.map((name) => `${name} / flood.c alone replies/s`));
  },
  limitMs,
);

test(
  "latency: every row is seen, and nothing stays behind",
  async () => {
    const figures = await bench.figures("latency", "--count=5");
    expect(comparisons(figures.slice(0, 1), "latency")).toEqual(["vantage / limit ms (median)"]);
  },
  limitMs,
);

test(
  "parse: ours and tcpdump read the same file, ours finds every reply",
  async () => {
    const figures = await bench.figures("parse", "--count=40000");
    expect(comparisons(figures, "parse")).toEqual(["vantage / tcpdump replies/s"]);
  },
  limitMs,
);

test(
  "rtt: round-trip times beside the delays that were added",
  async () => {
    const figures = await bench.figures("rtt", "--count=5");
    expect(comparisons(figures, "rtt").slice(0, 3)).toEqual([
      "udp / added delay RTT at 5 ms (ms)",
      "icmp / added delay RTT at 5 ms (ms)",
      "tcp / added delay RTT at 5 ms (ms)",
    ]);
  },
  limitMs,
);

test(
  "trace: ours beside the tools that people use, which name the routers of one path",
  async () => {
    const figures = await bench.figures("trace", "--count=3");
    const routers = figures
      .map((line) => JSON.parse(line))
      .filter(({ unit, reference }) => unit === "routers named" && reference === "scamper: trace");
    expect(routers.map(({ subject, value }) => [subject, value])).toContainEqual([
      "vantage: all branches",
      9,
    ]);
    expect(routers.map(({ referenceValue }) => referenceValue)).toContain(7);
  },
  4 * limitMs,
);

asRoot(
  "trace-from: agents' traces beside their host's, each of them whole",
  async () => {
    const figures = await bench.figures("trace-from", "--count=3");
    const whole = figures.map((line) => JSON.parse(line)).filter(({ unit }) => unit === "whole");
    const counts = whole.map(({ subject, value }) => [subject, value]);
    for (const expected of [
      ["one target, two agents", 2],
      ["3 targets, two agents", 6],
    ]) {
      expect(counts).toContainEqual(expected);
    }
  },
  4 * limitMs,
);

test(
  "rate: what arrives beside what was asked for",
  async () => {
    const figures = await bench.figures("rate", "--count=300");
    expect(comparisons(figures, "rate")).toEqual([
      "vantage / asked for at 10 packets/s",
      "vantage / asked for at 1,000 packets/s",
      "vantage / asked for at 100,000 packets/s",
    ]);
  },
  limitMs,
);

test(
  "store: blocks and objects are both stored, every one",
  async () => {
    const figures = await bench.figures("store", "--count=2000");
    const ours = ["vantage, 64 replies a record", "vantage, one reply a record"];
    const units = ["rows/s", "CPU µs/row, blocks", "CPU µs/row, store", "bytes/row"];
    expect(comparisons(figures, "store")).toEqual(
      units.flatMap((unit) => ours.map((name) => `${name} / objects, JSONEachRow ${unit}`)),
    );
  },
  limitMs,
);

test("broker: both engines take and give both kinds of records", async () => {
  const figures = await bench.figures("broker", "--count=2000");
  const units = ["probe records/s in", "probe records/s out", "reply records/s in", "reply records/s out"];
  expect(comparisons(figures, "broker")).toEqual(units.map((unit) => `embedded / kafka ${unit}`));
}, 180_000);

test(
  "pipeline: from lines to rows, and what each process takes",
  async () => {
    const figures = await bench.figures("pipeline", "--count=400");
    const parts = ["agent", "ingester", "store", "client"];
    const units = [
      "rows/s",
      ...["CPU µs/row", "peak MB"].flatMap((unit) => parts.map((part) => `${unit}, ${part}`)),
    ];
    const found = figures.map((line) => JSON.parse(line));
    expect(found.map(({ subject, unit }) => `${subject} ${unit}`)).toEqual(
      units.flatMap((unit) => ["one reply a record", "64 replies a record"].map((name) => `${name} ${unit}`)),
    );
    expect(found.every(({ value }) => value > 0)).toBe(true);
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
  [["parse", "--loud"], 2, expect.stringContaining("Unknown option '--loud'")],
  [["parse", "run"], 2, 'Unknown bench "run"'],
  [["parse", "--write", "--count", "9"], 2, expect.stringContaining("Cannot use --count with --write")],
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
    const figures = await bench.figures("idle", "--count=1");
    expect(comparisons(figures, "idle")).toEqual([
      "vantage agent / limit % of a core",
      "vantage agent / limit MB",
    ]);
  },
  limitMs,
);

asRoot(
  "memory: every line of each size is on the wire, and nothing stays behind",
  async () => {
    const figures = await bench.figures("memory", "--count=20000");
    const compared = figures.filter((line) => line.includes(" MB"));
    expect(comparisons(compared, "memory")).toEqual([
      "10,000 probes / limit client MB",
      "10,000 probes / limit agent MB",
    ]);
    expect(figures.join()).toContain('"CPU µs/probe"');
  },
  limitMs,
);
