/** What a measurement gave, through the gateway: the same text as from the column store itself. */
import { beforeAll, describe, expect, test } from "bun:test";
import { vantageCommand } from "../../run/vantage-command.ts";
import type { ReplyGiven } from "../client/store-with-paths.ts";
import { cuttingProxy } from "./cutting-proxy.ts";
import { place, store, west } from "./shared-place.ts";

const target = "203.0.113.9";
const unknownId = "6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55";
let id: string;

beforeAll(async () => {
  await place.logIn("ann");
  id = await sent();
  await store.insertProbes(
    cells().map((cell, index) => ({ ...cell, measurement: id, agent: "west", index })),
  );
  await store.insertReplies(replies(id));
});

/** Two flows to five hops. */
function cells() {
  return [1, 2, 3, 4, 5].flatMap((ttl) =>
    [24000, 24001].map((srcPort) => ({ destination: target, source: "192.0.2.7", srcPort, ttl })),
  );
}

/** They part at hop 2, hop 3 is silent, hop 4 has a label on one, the target answers one; the other is refused. */
function replies(measurement: string): ReplyGiven[] {
  return cells().flatMap(({ srcPort, ttl, destination, source }) => {
    const reply = { measurement, agent: "west", source, destination, srcPort, ttl, rttTenthMs: 10 * ttl };
    const other = srcPort !== 24000;
    switch (ttl) {
      case 1:
        return [{ ...reply, from: "198.51.100.1" }];
      case 2:
        return [{ ...reply, from: other ? "198.51.100.3" : "198.51.100.2" }];
      case 3:
        return [];
      case 4:
        return other ? [] : [{ ...reply, from: "198.51.100.4", labels: [[24015, 0, 1, 1]] as const }];
      default:
        return other
          ? [{ ...reply, from: "198.51.100.9", icmp: [3, 13] as const }]
          : [
              {
                ...reply,
                agent: "east",
                sender: "west/0",
                from: target,
                rttTenthMs: 65535,
                icmp: [3, 3] as const,
              },
            ];
    }
  });
}

async function sent(): Promise<string> {
  const input = cells()
    .map(({ srcPort, ttl }) => `${target},${srcPort},33434,${ttl},udp\n`)
    .join("");
  const { stdout } = await place.run("ann", ["send", "-a", "west", "-o", "json"], { input });
  return JSON.parse(stdout).measurement_id;
}

describe("the gateway and the store show the same", () => {
  const views = ["replies", "paths", "loss", "catchment"];
  const formats = ["table", "json", "ndjson", "csv"];
  test.each(views.flatMap((view) => formats.map((format) => [view, format] as const)))(
    "%s as %s",
    async (view, format) => {
      const args = ["-v", view, "-o", format, id];
      const [fromGateway, fromStore] = await Promise.all([
        place.run("ann", ["replies", ...args]),
        place.run("ann", ["replies", "--store", store.address, ...args]),
      ]);
      expect(fromGateway).toEqual(fromStore);
      expect(fromGateway.stdout).toContain(view === "catchment" ? "east" : "203.0.113.9");
    },
  );

  test("a campaign, run by run", async () => {
    const file = `name: shown\nagents: west\nprobes: "${target},24000,33434,5,udp"\nevery: 6h\nspread: 0\nmax_runs: 2`;
    const made = await place.run("ann", ["campaign", "create", "-", "-o", "json"], { input: file });
    const campaign = JSON.parse(made.stdout).id;
    let measurement: unknown;
    while (typeof measurement !== "string") {
      const { stdout } = await place.run("ann", ["campaign", "runs", campaign, "-o", "json"]);
      measurement = JSON.parse(stdout)[0]?.measurements[0];
      await Bun.sleep(100);
    }
    const probe = { measurement, destination: target, srcPort: 24_000, ttl: 5, source: "192.0.2.7" };
    await store.insertProbes([{ ...probe, agent: "west", index: 0 }]);
    await store.insertReplies([{ ...probe, agent: "west", from: target, rttTenthMs: 123, icmp: [3, 3] }]);
    const shown = async (view: string, ...more: string[]) => {
      const { stdout } = await place.run("ann", [
        "replies",
        "--campaign",
        "shown",
        "-v",
        view,
        "-o",
        "csv",
        ...more,
      ]);
      return stdout.split("\n");
    };
    const series = await shown("series");
    expect(series[1]).toContain(
      `,"${measurement}","west","${target}",1,1,0,0,0,79.35,1,12.3,12.3,12.3,1,1,100`,
    );
    expect((await shown("changes")).slice(1)).toEqual([""]);
    const preview = (input: string) =>
      place.run("ann", ["campaign", "preview", "shown", "-", "-o", "json"], { input });
    const { exitCode, stdout, stderr } = await preview("alerts: { detectors: { loss: {} } }");
    expect([exitCode, JSON.parse(stdout), stderr.join()]).toEqual([
      ...[0, [], expect.stringContaining("0 runs: 0 alerts raised, 0 cleared")],
    ]);
    expect((await preview("name: shown")).stderr.join()).toContain("Standard input has no alerts");
    expect((await preview("alerts: { detectors: { gloss: {} } }")).stderr.join()).toContain("gloss");
    for (const view of ["series", "heatmap", "changes"]) {
      expect(await shown(view, "--store", store.address)).toEqual(await shown(view));
    }
  });

  test.each([
    [["-a", "east"], 1],
    [["-d", "203.0.113.0/24", "-n", "3"], 3],
    [["-d", "192.0.2.0/24"], 0],
    [["--since", "1h"], 7],
    [["--since", "2100-01-01T00:00:00Z"], 0],
  ])("of a part: %j", async (args, count) => {
    const shown = async (...more: string[]) =>
      (await place.run("ann", ["replies", "-o", "ndjson", ...args, ...more, id])).stdout;
    const text = await shown();
    expect(text).toBe(await shown("--store", store.address));
    expect(text.split("\n").filter((line) => line !== "")).toHaveLength(count);
  });

  test("vantage catchment is a name for one of the views", async () => {
    const { stdout } = await place.run("ann", ["catchment", id]);
    expect(stdout).toBe((await place.run("ann", ["replies", "-v", "catchment", id])).stdout);
    expect(stdout).toMatch(/west +0 +east +1 +14\.29/);
  });
});

describe("what is not there is said", () => {
  test("no replies yet", async () => {
    expect(await place.run("ann", ["replies", await sent()])).toEqual({
      exitCode: 0,
      stdout: "",
      stderr: ["vantage replies: Nothing found: replies may be on their way, or kept no longer"],
    });
  });

  test("more than was asked for", async () => {
    const { stderr } = await place.run("ann", ["replies", "-n", "2", id]);
    expect(stderr).toEqual(["vantage replies: Shown are the first 2; there may be more (see: --limit)"]);
  });

  test.each(["replies", "catchment", "follow"])("no such measurement: %s", async (command) => {
    expect(await place.run("ann", [command, unknownId])).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: [`vantage ${command}: Measurement not found; vantage measurements lists yours`],
    });
  });
});

describe("following", () => {
  test.concurrent("shows what is there, then what comes, until nothing more can", async () => {
    const measurement = await sent();
    const [first, ...others] = replies(measurement);
    await store.insertReplies(first === undefined ? [] : [first]);
    const child = place.start("ann", ["follow", "-o", "ndjson", measurement]);
    const lines: string[] = [];
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      const isFirst = lines.length === 0;
      lines.push(...text.split("\n").slice(0, -1));
      if (isFirst) {
        await store.insertReplies(others);
        await west.report(measurement, { sent_probes: 10, is_complete: true, received_replies: 6 });
      }
    }
    expect(await child.exited).toBe(0);
    expect(lines).toHaveLength(replies(measurement).length);
    const { stdout } = await place.run("ann", ["replies", "-o", "ndjson", measurement]);
    expect(lines.toSorted()).toEqual(stdout.trimEnd().split("\n").toSorted());
    expect(await new Response(child.stderr).text()).toBe("complete: 7 replies\n");
  });

  test.concurrent("goes on where a connection broke: nothing is lost, nothing comes twice", async () => {
    await using proxy = cuttingProxy(place.address, 3);
    const environment = { VANTAGE_GATEWAY: proxy.url, VANTAGE_TOKEN: await place.issuer.tokenFor("ann") };
    const args = ["follow", "--count", "7", "-o", "ndjson", id];
    const { exitCode, stdout, stderr } = await place.run("ann", args, { environment });
    expect(exitCode).toBe(0);
    const whole = (await place.run("ann", ["replies", "-o", "ndjson", id])).stdout;
    expect(stdout.split("\n").toSorted()).toEqual(whole.split("\n").toSorted());
    expect(proxy.places).toHaveLength(3);
    expect(proxy.places[0]).toBeNull();
    expect(stderr).toHaveLength(2);
    expect(stderr[0]).toEndWith("; trying again");
  });

  test("ends with the time, or with enough replies", async () => {
    expect(await place.run("ann", ["follow", "--count", "2", "-o", "csv", id])).toMatchObject({
      exitCode: 0,
      stderr: [],
    });
    expect(await place.run("ann", ["follow", "--timeout", "1s", await sent()])).toMatchObject({
      exitCode: 3,
      stdout: "",
    });
  });

  test("is what -f of replies does, of a part", async () => {
    const child = place.start("ann", ["replies", "-f", "-o", "ndjson", "-a", "east", id]);
    let said = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += text;
      child.kill("SIGINT");
    }
    expect(await child.exited).toBe(130);
    expect(
      said
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).agent_id),
    ).toEqual(["east"]);
  });

  test("draws bars below the replies on a terminal", async () => {
    const decoder = new TextDecoder();
    let shown = "";
    const child = Bun.spawn([...vantageCommand, "follow", id], {
      cwd: `${import.meta.dirname}/../../..`,
      env: { ...process.env, XDG_CONFIG_HOME: place.settings("ann") },
      terminal: {
        cols: 140,
        rows: 24,
        data: (_, bytes) => {
          shown += decoder.decode(bytes, { stream: true });
        },
      },
    });
    while (!/░ +0 %/.test(shown) || !shown.includes("198.51.100.9")) {
      await Bun.sleep(20);
    }
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
    expect(shown).toContain("west  ░");
  });
});
