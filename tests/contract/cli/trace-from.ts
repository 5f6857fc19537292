/** `vantage trace --from`: the gateway and the store are real, what agents see is played. */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { saidBy, saidUpTo } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { writeSavefile } from "../../vectors/hand/savefile.ts";
import type { ReplyGiven } from "../client/store-with-paths.ts";
import type { CliPlace } from "./cli-place.ts";
import { lookEveryMs, newestOf } from "./newest-measurement.ts";
import { east, place, store, west } from "./shared-place.ts";

const target = "203.0.113.9";
/** Those of the answers below; without them, each trace has ports of its own. */
const ports = ["--src-port", "24000"];

/** Answers of a path of four hops: two routers at hop 2, the target at hop 4. */
function answers(measurement: string, agent: string, flows: number, ttls: readonly number[]): ReplyGiven[] {
  return ttls.flatMap((ttl) =>
    Array.from({ length: flows }, (_, flow) => ({
      ...{ measurement, agent, source: "192.0.2.7", destination: target, srcPort: 24000 + flow, ttl },
      from: ttl === 4 ? target : `198.51.100.${10 * ttl + (ttl === 2 ? flow : 0)}`,
      icmp: ttl === 4 ? ([3, 3] as const) : ([11, 0] as const),
      rttTenthMs: 10 * ttl,
    })),
  );
}

const packets = (mark: number) =>
  writeSavefile({
    ...{ linkType: 1, fractionNs: 1 },
    packets: [{ timeNs: 1_800_000_000_000_000_001n, frame: new Uint8Array(60).fill(mark) }],
  });

async function ended(child: ReturnType<CliPlace["start"]>) {
  return await saidBy(child);
}

describe("agents of the gateway", () => {
  test.concurrent("--pcap: agents keep the packets, and a file of each is here in the end", async () => {
    await place.logIn("petra");
    const folder = mkdtempSync(join(tmpdir(), "vantage-pcap-"));
    const path = join(folder, "trace.pcap");
    const traced = [
      "trace",
      "--from",
      "west,east",
      ...ports,
      "--flows",
      "1",
      "-q",
      "1",
      "--pcap",
      path,
      target,
    ];
    const refused = await place.run("petra", traced);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr.join()).toContain("packets");
    // A user is known from the first look on.
    expect((await place.run("petra", ["whoami"])).exitCode).toBe(0);
    await place.grantPackets("petra");
    const child = place.start("petra", traced);
    const { measurement_id: id } = await newestOf("petra");
    for (const [i, agent] of [west, east].entries()) {
      await agent.report(id, { sent_probes: 4, is_complete: false, received_replies: 4 });
      await store.insertReplies(answers(id, agent.id, 1, [1, 2, 3, 4]));
      await agent.handOver(id, "eth0", packets(i));
    }
    const { stderr, exitCode } = await ended(child);
    expect({ stderr, exitCode }).toMatchObject({ exitCode: 0 });
    expect(stderr).toContain(`${join(folder, "trace.west.eth0.pcap")} has 2 packets sent and 1 received`);
    expect(readdirSync(folder).sort()).toEqual(["trace.east.eth0.pcap", "trace.west.eth0.pcap"]);
    expect(readFileSync(join(folder, "trace.east.eth0.pcap")).equals(packets(1))).toBe(true);
    rmSync(folder, { recursive: true });
  });

  test.concurrent("trace: draws the path of each agent, and asks for no more than is needed", async () => {
    await place.logIn("tina");
    const child = place.start("tina", [
      "trace",
      "--from",
      "west,east",
      ...ports,
      "--flows",
      "2",
      "-q",
      "1",
      "-m",
      "30",
      target,
    ]);
    const { measurement_id: id, probes } = await newestOf("tina");
    // Two flows to the first four hops, and one to four more: the target answers within, so there is no second wave.
    expect(probes).toBe(2 * (2 * 4 + 4));
    // Before the reports: what was sent and is not there would be asked for again.
    for (const agent of [west, east]) {
      await store.insertReplies(answers(id, agent.id, 2, [1, 2, 3, 4]));
    }
    for (const agent of [west, east]) {
      await agent.report(id, { sent_probes: 12, is_complete: false, received_replies: 8 });
    }
    const { stdout, stderr, exitCode } = await ended(child);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    const lines = stdout.split("\n").map((line) => line.trimEnd());
    const half = lines.length / 2;
    expect(lines.slice(0, 8)).toEqual([
      `${target}: UDP to port 33434, 2 flows (24000–24001), from west (192.0.2.7)`,
      "  hop     router           loss    best  median   worst   ms",
      "  1  ●    198.51.100.10     0 %     1.0     1.0     1.0",
      "     ├─╮",
      "  2  ● │  198.51.100.20     0 %     2.0     2.0     2.0  1/2 flows",
      "     │ ●  198.51.100.21     0 %     2.0     2.0     2.0  1/2 flows",
      "     ├─╯",
      "  3  ●    198.51.100.30     0 %     3.0     3.0     3.0",
    ]);
    expect(lines.find((line) => line.startsWith("  Reached"))).toMatch(
      /^ {2}Reached in 4 hops: 12 probes sent, 8 answered, 4 without answer; [\d.]+ s$/,
    );
    expect(lines.slice(Math.floor(half))[0]).toContain("from east (192.0.2.7)");
    expect((await newestOf("tina")).status).toBe("complete");
    const { used } = JSON.parse((await place.run("tina", ["whoami", "-o", "json"])).stdout);
    expect(used).toBe(2 * 12);
  });

  test.concurrent("trace: counts what was sent and not answered as lost, and says where the path ends", async () => {
    await place.logIn("tom");
    const args = [
      "trace",
      "--from",
      "west",
      ...ports,
      "--flows",
      "1",
      "-q",
      "2",
      "-m",
      "3",
      "-o",
      "ndjson",
      target,
    ];
    const child = place.start("tom", args);
    const { measurement_id: id } = await newestOf("tom");
    await store.insertReplies(answers(id, "west", 1, [1]));
    await west.report(id, { sent_probes: 3, is_complete: false, received_replies: 1 });
    // The others stay silent, so each hop is asked once more.
    while ((await newestOf("tom")).probes < 6) {
      await Bun.sleep(lookEveryMs);
    }
    await west.report(id, { sent_probes: 6, is_complete: false, received_replies: 1 });
    const { stdout, exitCode } = await ended(child);
    expect(exitCode).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ target, agent: "west", source: "192.0.2.7", interface: null, complete: true, reached: false },
      probes: { sent: 6, answered: 1, lost: 5, not_awaited: 0, failed: 0 },
      hops: [{ ttl: 1, routers: [{ address: "198.51.100.10", probes: 2, answered: 1, loss_percent: 50 }] }],
    });
  });

  test.concurrent("trace: an end that was not asked for is an error, and what it cut off is not complete", async () => {
    await place.logIn("tilda");
    const others = ["203.0.113.11", "203.0.113.12"];
    const shape = ["--flows", "1", "-q", "1", "-m", "4", "-w", "6500"];
    const traced = ["trace", "--from", "west", ...ports, ...shape, "-o", "ndjson", target, ...others];
    const child = place.start("tilda", traced);
    const { measurement_id: id, probes } = await newestOf("tilda");
    expect(probes).toBe(12);
    await store.insertReplies(answers(id, "west", 1, [1, 2, 3, 4]));
    await west.report(id, { sent_probes: 12, is_complete: false, received_replies: 4 });
    const [begun, whole] = child.stdout.tee();
    expect(JSON.parse((await saidUpTo(begun, "\n")).split("\n", 1).join())).toMatchObject({
      target,
      complete: true,
    });
    // Replies of the other targets are waited for; meanwhile somebody else ends the measurement.
    expect((await place.run("tilda", ["cancel", id])).exitCode).toBe(0);
    const { stdout, stderr, exitCode } = await saidBy({
      stdout: whole,
      stderr: child.stderr,
      exited: child.exited,
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`The gateway has ended measurement ${id} before its results were complete`);
    const lines = stdout.trimEnd().split("\n");
    const traces = lines.map((line) => JSON.parse(line));
    expect(traces.map(({ complete, reached }) => [complete, reached])).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ]);
    expect(traces.map(({ failures }) => failures.at(-1) ?? "")).toEqual([
      "",
      ...others.map(() => "The measurement ended before this path was complete"),
    ]);
  });

  test.concurrent("trace: is drawn while it goes, on a terminal; Ctrl-C calls off the rest", async () => {
    await place.logIn("theo");
    const decoder = new TextDecoder();
    let shown = "";
    const child = Bun.spawn(
      [...vantageCommand, "trace", "--from", "west", ...ports, "--flows", "1", target],
      {
        cwd: `${import.meta.dirname}/../../..`,
        env: { ...process.env, XDG_CONFIG_HOME: place.settings("theo") },
        terminal: {
          cols: 120,
          rows: 24,
          data: (_, bytes) => {
            shown += decoder.decode(bytes, { stream: true });
          },
        },
      },
    );
    const { measurement_id: id } = await newestOf("theo");
    await west.report(id, { sent_probes: 3, is_complete: false });
    await store.insertReplies(answers(id, "west", 1, [1]));
    while (!shown.includes("198.51.100.10") || !shown.includes("tracing …")) {
      await Bun.sleep(20);
    }
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
    expect(shown).toContain("Interrupted");
    expect((await newestOf("theo")).status).toBe("cancelled");
  });
});

describe("what cannot be is one line", () => {
  test.each([
    [["trace", "--from", "west", "-s", "192.0.2.1", target], "--source does not go with --from"],
    [["ping", "--from", "west", "--rate", "5", target], "--rate does not go with --from"],
    [["trace", "--gateway", "https://g.example", target], "--gateway requires --from"],
    [
      ["trace", "--from", "west,west:192.0.2.1", target],
      "--from names agent west twice: its answers would be ambiguous",
    ],
  ])("%j", async ([command = "", ...args], message) => {
    expect(await place.run("tina", [command, ...args])).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: [`vantage ${command}: ${message}; see vantage ${command} --help`],
    });
  });

  test("an agent that there is not", async () => {
    const { exitCode, stderr } = await place.run("tina", ["trace", "--from", "wesd", target]);
    expect(exitCode).toBe(1);
    expect(stderr[0]).toBe(
      'vantage trace: Agent wesd does not take part: there is no such agent; did you mean "west"?',
    );
  });

  test("a name that there is not", async () => {
    const { exitCode, stderr } = await place.run("tina", ["ping", "--from", "west", "-4", "2001:db8::1"]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: ["vantage ping: Cannot trace 2001:db8::1 with -4: it is an IPv6 address"],
    });
  });
});
