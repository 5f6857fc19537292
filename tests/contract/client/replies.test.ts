/** `vantage replies` against a real column store: every view in every format, and its failures. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ProbeGiven, type ReplyGiven, StoreProcess } from "./store-with-paths.ts";

const westToNine = {
  measurement: "m-1",
  agent: "west",
  source: "192.0.2.1",
  destination: "203.0.113.9",
} as const;
let store: StoreProcess;

/** Two flows that part at hop 2, a silent hop 3, labels at hop 4, the target at hop 5. */
function pathProbes(): ProbeGiven[] {
  return [1, 2, 3, 4, 5].flatMap((ttl) =>
    [0, 1].map((flow) => ({ ...westToNine, ttl, srcPort: 24000 + flow, index: 2 * ttl + flow })),
  );
}

function pathReplies(): ReplyGiven[] {
  return pathProbes().flatMap(({ ttl, srcPort }) => {
    const reply = { ...westToNine, ttl, srcPort, rttTenthMs: 10 * ttl };
    switch (ttl) {
      case 2:
        return [{ ...reply, from: srcPort === 24000 ? "198.51.100.2" : "198.51.100.3" }];
      case 3:
        return [];
      case 4:
        return srcPort === 24000 ? [{ ...reply, from: "198.51.100.4", labels: [[24015, 0, 1, 1]] }] : [];
      case 5:
        return [{ ...reply, from: "203.0.113.9", icmp: [3, 3] }];
      default:
        return [{ ...reply, from: "198.51.100.1" }];
    }
  });
}

/** Two sites of one prefix: three of four answers to the probes of the first are heard by the second. */
function anycastReplies(): ReplyGiven[] {
  return [1, 2, 3, 4].map((host) => ({
    measurement: "m-2",
    agent: host === 1 ? "west" : "east",
    sender: "west/1",
    source: "2001:db8:ffff::1",
    destination: `2001:db8:${host}::1`,
    srcPort: 24000,
    ttl: 64,
    from: `2001:db8:${host}::1`,
    rttTenthMs: host === 1 ? 123 : 65535,
    icmp: [129, 0],
  }));
}

beforeAll(async () => {
  store = await StoreProcess.start();
  await store.insertProbes(pathProbes());
  await store.insertReplies([...pathReplies(), ...anycastReplies()]);
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

describe("replies", () => {
  test("are a table, in the order in which they came", async () => {
    const { lines, exitCode, stderr } = await store.run("m-1");
    expect([exitCode, stderr]).toEqual([0, []]);
    const rows = lines.map((line) => line.slice(25).replaceAll(/ +/g, " "));
    expect(rows).toEqual([
      "agent destination protocol src dst ttl answer from rtt ms",
      "west 203.0.113.9 UDP 24000 33434 1 198.51.100.1 1.0",
      "west 203.0.113.9 UDP 24001 33434 1 198.51.100.1 1.0",
      "west 203.0.113.9 UDP 24000 33434 2 198.51.100.2 2.0",
      "west 203.0.113.9 UDP 24001 33434 2 198.51.100.3 2.0",
      "west 203.0.113.9 UDP 24000 33434 4 198.51.100.4 4.0 MPLS 24015 exp 0 ttl 1",
      "west 203.0.113.9 UDP 24000 33434 5 203.0.113.9 5.0 port unreachable",
      "west 203.0.113.9 UDP 24001 33434 5 203.0.113.9 5.0 port unreachable",
    ]);
  });

  test("of another site's probes say whose they are, and have no RTT", async () => {
    const { lines } = await store.run("-d", "2001:db8:2::/48");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/ 2001:db8:2::1 +probe of west\/1$/);
  });

  test.each([
    [["-a", "west"], 11],
    [["-a", "east"], 3],
    [["-d", "203.0.113.0/24"], 7],
    [["-s", "2001:db8:ffff::/48"], 4],
    [["--since", "1h", "-a", "east", "m-1"], 0],
    [["-n", "2"], 2],
  ])("%j picks %d", async (args, count) => {
    const { lines } = await store.run(...args, "-o", "ndjson");
    expect(lines).toHaveLength(count);
  });

  test("are objects for programs, and CSV", async () => {
    const [line = ""] = (await store.run("-o", "ndjson", "-n", "1", "m-1")).lines;
    const reply = JSON.parse(line);
    expect(reply).toMatchObject({
      measurement_id: "m-1",
      agent_id: "west",
      probe_agent: "west",
      probe_dst_addr: "203.0.113.9",
      probe_src_port: 24000,
      probe_ttl: 1,
      reply_src_addr: "198.51.100.1",
      rtt_ms: 1,
    });
    expect(reply.time_received).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);
    const array = JSON.parse((await store.run("-o", "json", "m-2")).lines.join("\n"));
    expect(array.map(({ rtt_ms }: { rtt_ms: number | null }) => rtt_ms)).toEqual([12.3, null, null, null]);
    const csv = (await store.run("-o", "csv", "m-1")).lines;
    expect(csv[0]).toStartWith("time_received,measurement_id,agent_id,");
    expect(csv[5]).toContain(',"24015/0/1/1",');
  });
});

describe("paths", () => {
  test("are drawn with their branches, silence and labels", async () => {
    expect((await store.run("-v", "paths", "m-1")).lines).toEqual([
      "west to 203.0.113.9: UDP, 2 flows (24000–24001) to port 33434",
      "  hop     router          loss    best  median   worst   ms",
      "  1  ●    198.51.100.1     0 %     1.0     1.0     1.0",
      "     ├─╮",
      "  2  ● │  198.51.100.2     0 %     2.0     2.0     2.0  1/2 flows",
      "     │ ●  198.51.100.3     0 %     2.0     2.0     2.0  1/2 flows",
      "     ├─╯",
      "  3  ○    * no answer",
      "     ├─╮",
      "  4  ● │  198.51.100.4     0 %     4.0     4.0     4.0  1/2 flows  MPLS 24015 exp 0 ttl 1",
      "     │ ○  * no answer   1/2 flows",
      "     ├─╯",
      "  5  ◉    203.0.113.9      0 %     5.0     5.0     5.0  port unreachable",
      "  Reached in 5 hops: 10 probes submitted, 7 answered, 3 without answer",
      "",
    ]);
  });

  test("are drawn as a picture, the same on standard output and in a file", async () => {
    const { lines, exitCode } = await store.run("-v", "paths", "--svg", "-", "m-1");
    expect(exitCode).toBe(0);
    const svg = lines.join("");
    expect(svg).toStartWith('<svg xmlns="http://www.w3.org/2000/svg"');
    expect(svg).toContain(
      "From west to 203.0.113.9: 5 hops, 2 flows, branches at TTL 2, 3 and 4, 2 TTLs with silence, reached.",
    );
    expect(svg).toContain(">4 ms · 1/2 flows · MPLS · +?</text>");
    const { stderr } = await store.run("-v", "paths", "--svg", "/nowhere/p.svg", "m-1");
    expect(stderr.join()).toContain("Cannot write the picture /nowhere/p.svg: ");
  });

  test("are objects, one for each agent and target", async () => {
    const { lines } = await store.run("-v", "paths", "-o", "ndjson", "--agent", "west");
    const paths = lines.map((line) => JSON.parse(line));
    expect(paths.map(({ agent, address, reached }) => [agent, address, reached])).toEqual([
      ["west", "203.0.113.9", true],
      ...[1, 2, 3, 4].map((host) => ["west", `2001:db8:${host}::1`, true]),
    ]);
    expect(paths[0]).toMatchObject({
      probes: { submitted: 10, answered: 7, duplicates: 0, lost: 3 },
      protocol: "udp",
    });
    expect(paths[0].hops[1].routers.map(({ address }: { address: string }) => address)).toEqual([
      "198.51.100.2",
      "198.51.100.3",
    ]);
  });

  test("are CSV, a line for each router", async () => {
    const { lines } = await store.run("-v", "paths", "-o", "csv", "-n", "1", "m-1");
    expect(lines).toHaveLength(1 + 7);
    expect(lines[5]).toBe(
      "west,203.0.113.9,udp,4,198.51.100.4,1,1,1,0,4,4,4,4,4,4,0,,MPLS 24015 exp 0 ttl 1,,,,",
    );
  });

  test("count every answer and every round-trip time, however many there are of one flow and TTL", async () => {
    const place = { ...westToNine, measurement: "m-many", srcPort: 24000, ttl: 1 };
    await store.insertProbes(Array.from({ length: 5000 }, (_, index) => ({ ...place, index })));
    const nowMs = Date.now();
    // Each from a probe of its own: with one send time they would be copies.
    await store.insertReplies(
      Array.from({ length: 4000 }, (_, i) => ({
        ...{ ...place, from: "198.51.100.1", timeMs: nowMs - i },
        rttTenthMs: i % 20 === 0 ? 100 : 500,
      })),
    );
    const [line = ""] = (await store.run("-v", "paths", "-o", "ndjson", "m-many")).lines;
    const { probes, hops } = JSON.parse(line);
    expect(probes).toEqual({ submitted: 5000, answered: 4000, duplicates: 0, lost: 1000 });
    const [router] = hops[0].routers;
    expect(router).toMatchObject({ probes: 5000, answered: 4000, loss_percent: 20 });
    expect(router).toMatchObject({ rtt_min_ms: 10, rtt_median_ms: 50, rtt_max_ms: 50, rtt_mean_ms: 48 });
    expect(router.rtt_samples_ms).toHaveLength(100);
    expect(router.rtt_samples_ms.filter((ms: number) => ms === 10).length).toBeLessThan(30);
    const table = (await store.run("-v", "paths", "m-many")).lines;
    expect(table[2]).toBe("  1  ●  198.51.100.1    20 %    10.0    50.0    50.0");
  });
});

test("loss is relative to the submitted probes, with a total", async () => {
  expect((await store.run("-v", "loss", "m-1")).lines.map((line) => line.replaceAll(/ +/g, " "))).toEqual([
    "agent destination submitted answered lost loss % replies duplicates",
    "west 203.0.113.9 10 7 3 30 7 0",
    "",
    "7 of 10 probes answered: 30.00 % lost",
  ]);
});

test("probes of two sources of one agent are two, and what is there twice is one", async () => {
  const probe = {
    measurement: "m-4",
    agent: "west",
    destination: "203.0.113.7",
    srcPort: 1,
    ttl: 9,
    index: 0,
  };
  const [anycast, unicast] = ["192.0.2.1", "192.0.2.2"].map((source) => ({ ...probe, source }));
  const others = { ...probe, measurement: "m-5" };
  const reply = { ...probe, source: "192.0.2.1", from: "203.0.113.7", rttTenthMs: 1, icmp: [3, 3] as const };
  await store.insertProbes(
    [anycast, unicast, others].flatMap((one) => (one === undefined ? [] : [one, one])),
  );
  await store.insertReplies([reply]);
  const counts = async (...args: string[]) => {
    const [line = ""] = (await store.run("-o", "ndjson", "-d", "203.0.113.7", ...args)).lines;
    return JSON.parse(line);
  };
  expect(await counts("-v", "loss", "m-4")).toMatchObject({ submitted: 2, answered: 1 });
  expect(await counts("-v", "loss")).toMatchObject({ submitted: 3, answered: 1 });
  expect(await counts("-v", "paths")).toMatchObject({ probes: { submitted: 3, answered: 1, lost: 2 } });
});

test("the catchment shows who hears the answers to whose probes", async () => {
  const { lines } = await store.run("-v", "catchment", "-s", "2001:db8:ffff::/48");
  expect(lines.map((line) => line.replaceAll(/ +/g, " "))).toEqual([
    "probes of instance heard by replies share % destinations responders",
    "west 1 east 3 75 3 3",
    "west 1 west 1 25 1 1",
  ]);
  expect(JSON.parse((await store.run("-v", "catchment", "-o", "json", "m-1")).lines.join(""))).toEqual([
    {
      probe_agent: "west",
      probe_instance: 0,
      heard_by: "west",
      replies: 7,
      share_percent: 100,
      destinations: 1,
      responders: 5,
    },
  ]);
});

test("following shows what is there, then what comes, until Ctrl-C", async () => {
  const child = store.start(["-f", "-o", "ndjson", "m-3"]);
  const late = { ...westToNine, measurement: "m-3", srcPort: 1, ttl: 1, from: "198.51.100.1", rttTenthMs: 1 };
  await store.insertReplies([late]);
  const received: string[] = [];
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    received.push(decoder.decode(chunk));
    const count = received.join("").split("\n").length - 1;
    if (count === 1) {
      await store.insertReplies([{ ...late, ttl: 2 }]);
    } else {
      child.kill("SIGINT");
    }
  }
  expect(await child.exited).toBe(130);
  const ttls = received
    .join("")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).probe_ttl);
  expect(ttls).toEqual([1, 2]);
});

describe("what cannot work ends with one line that says why", () => {
  test.each<[string[], number, string]>([
    [["--store", "chdb:/nowhere"], 1, "chdb:/nowhere: nothing runs it; start it with vantage stack"],
    [["--store", "http://127.0.0.1:1"], 1, "Cannot reach the column store http://127.0.0.1:1"],
    [["--store", "x"], 1, 'Cannot open the column store "x"'],
    [["-v", "x"], 2, '--view "x" is not one of replies, paths, loss, catchment'],
    [["-f", "-v", "loss"], 2, "-f with --view loss draws on a terminal, and standard output is not one"],
  ])("%j", async (args, code, message) => {
    const { exitCode, lines, stderr } = await store.run(...args);
    expect([exitCode, lines, stderr.length]).toEqual([code, [], 1]);
    expect(stderr[0]).toContain(message);
  });

  test("Nothing found is said, and no failure", async () => {
    const { exitCode, lines, stderr } = await store.run("-o", "json", "nobody");
    expect([exitCode, lines]).toEqual([0, ["[]"]]);
    expect(stderr[0]).toContain("Nothing found in chdb:");
  });
});
