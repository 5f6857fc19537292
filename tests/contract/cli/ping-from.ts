/** `vantage ping --from`: the gateway and the store are real, what agents see is played. */
import { describe, expect, test } from "bun:test";
import { saidBy } from "../../run/said.ts";
import { newestOf } from "./newest-measurement.ts";
import { east, place, store, west } from "./shared-place.ts";

const target = "203.0.113.9";

describe("agents of the gateway ping", () => {
  test.concurrent("what nothing answers has a row for each probe", async () => {
    const silent = "2001:db8:77::";
    await place.logIn("tilo");
    const args = ["ping", "--from", "west", "--src-port", "24000", "-c", "2", "-o", "ndjson", silent];
    const child = place.start("tilo", args);
    const { measurement_id: id } = await newestOf("tilo");
    await west.report(id, { sent_probes: 2, is_complete: true, received_replies: 0 });
    const { stdout, exitCode } = await saidBy(child);
    const rows = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const lost = {
      measurement_id: id,
      agent: "west",
      address: silent,
      outcome: "lost",
      from: null,
      rtt_ms: null,
    };
    expect(rows).toMatchObject([
      { ...lost, sequence: 1 },
      { ...lost, sequence: 2 },
    ]);
    expect(exitCode).toBe(3);
  });
  test.concurrent("there is a line for each answer, for each lost probe, and a summary for each agent", async () => {
    await place.logIn("tess");
    const args = [
      "ping",
      "--from",
      "west",
      "--from",
      "east",
      "--src-port",
      "24000",
      "-p",
      "udp",
      "-c",
      "2",
      target,
    ];
    const child = place.start("tess", args);
    const { measurement_id: id, probes } = await newestOf("tess");
    expect(probes).toBe(4);
    const answer = {
      measurement: id,
      source: "192.0.2.7",
      destination: target,
      from: target,
      icmp: [3, 3] as const,
    };
    await store.insertReplies([
      { ...answer, agent: "west", srcPort: 24000, ttl: 64, rttTenthMs: 15 },
      { ...answer, agent: "west", srcPort: 24000, ttl: 64, rttTenthMs: 25 },
      { ...answer, agent: "east", srcPort: 24000, ttl: 64, rttTenthMs: 35 },
    ]);
    await west.report(id, { sent_probes: 2, is_complete: true, received_replies: 2 });
    await east.report(id, { sent_probes: 2, is_complete: true, received_replies: 1 });
    const { stdout, exitCode } = await saidBy(child);
    expect(exitCode).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.slice(0, 3).toSorted()).toEqual([
      `east  ${target}    1      3.5 ms  port unreachable`,
      `west  ${target}    1      1.5 ms  port unreachable`,
      `west  ${target}    2      2.5 ms  port unreachable`,
    ]);
    const times = { west: "1.5 / 2.0 / 2.5", east: "3.5 / 3.5 / 3.5" };
    expect(lines.slice(3)).toEqual([
      `east  ${target}    2  no answer`,
      `${target} (IPv4, udp) from west: 2 sent, 2 answered, 0 % lost; min / median / max ${times.west} ms`,
      `${target} (IPv4, udp) from east: 2 sent, 1 answered, 1 without answer, 50 % lost; ` +
        `min / median / max ${times.east} ms`,
    ]);
  });
});
