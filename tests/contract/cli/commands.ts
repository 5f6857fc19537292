/** Every command that asks the gateway, in every form of output, and its mistakes. */
import { beforeAll, describe, expect, test } from "bun:test";
import { vantageCommand } from "../../run/vantage-command.ts";
import { place, west } from "./shared-place.ts";

const line = "203.0.113.9,24000,33434,7,UDP\n";
const unknownId = "6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55";
let measurement: string;

beforeAll(async () => {
  await place.logIn("ann");
  measurement = await sent("ann", "-a", "west,east");
  await west.report(measurement, { sent_probes: 1, is_complete: true, received_replies: 1 });
});

/** Submits one probe; resolves to the measurement's id. */
async function sent(user: string, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await place.run(user, ["send", "-o", "json", ...args], {
    input: line,
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: [] });
  return JSON.parse(stdout).measurement_id;
}

/** Rows of CSV without quotes. */
function csv(text: string): string[][] {
  return text
    .trimEnd()
    .split("\n")
    .map((row) => row.split(","));
}

describe("every command speaks every language", () => {
  const commands: readonly (readonly [args: readonly string[], isList: boolean, word: string])[] = [
    [["whoami"], false, "probes"],
    [["limits"], false, "left today"],
    [["agents"], true, "healthy"],
    [["profiles"], true, "test"],
    [["measurements"], true, "running"],
  ];

  test.each(commands)("%j", async (args, isList, word) => {
    const [table = "", json = "", ndjson = "", rows = ""] = await Promise.all(
      ["table", "json", "ndjson", "csv"].map(async (format) => {
        const { exitCode, stdout, stderr } = await place.run("ann", [...args, "-o", format]);
        expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: [] });
        return stdout;
      }),
    );
    expect(table).toContain(word);
    expect([table, json, ndjson, rows].join("")).not.toContain("\x1b");
    // The forms are asked one after another, and the day goes on meanwhile.
    const timeless = (row: Readonly<Record<string, unknown>>) =>
      "resets_in_seconds" in row ? { ...row, resets_in_seconds: 0 } : row;
    const whole = [JSON.parse(json)].flat().map(timeless);
    const objects = ndjson
      .trimEnd()
      .split("\n")
      .map((text) => timeless(JSON.parse(text)));
    expect(objects).toEqual(whole);
    expect(json.startsWith("[")).toBe(isList);
    const [head = [], ...cells] = csv(rows);
    expect(head).toEqual(Object.keys(objects[0] ?? {}));
    expect(cells).toHaveLength(objects.length);
  });

  test("show", async () => {
    const shown = async (format: string) =>
      (await place.run("ann", ["show", measurement, "-o", format])).stdout;
    const whole = JSON.parse(await shown("json"));
    expect(whole).toMatchObject({
      ...{ measurement_id: measurement, status: "running", probes: 2, sent_probes: 1, agents_complete: 1 },
      agents: [
        { agent: "east", status: "queued", sent_probes: 0, expected_probes: 1 },
        { agent: "west", status: "complete", progress: 1, sent_probes: 1, received_replies: 1 },
      ],
    });
    expect(JSON.parse(await shown("ndjson"))).toEqual(whole);
    expect(csv(await shown("csv")).map((row) => row.slice(0, 3))).toEqual([
      ["measurement_id", "agent", "status"],
      [measurement, "east", "queued"],
      [measurement, "west", "complete"],
    ]);
    const table = (await shown("table")).split("\n");
    expect(table[0]).toBe(`measurement    ${measurement}`);
    expect(table.find((row) => row.startsWith("west"))).toMatch(/^west {3}complete {2}█{24} 100 % {5}1 {3}1/);
  });
});

describe("agents", () => {
  const ids = async (...args: string[]) => {
    const { stdout, stderr } = await place.run("nobody", [
      "agents",
      "--gateway",
      place.address,
      "-o",
      "ndjson",
      ...args,
    ]);
    return { ids: [...stdout.matchAll(/"agent":"(\w+)"/g)].map(([, id]) => id), stderr };
  };

  test("are public, and picked by words and state", async () => {
    expect((await ids()).ids).toEqual(["east", "west"]);
    expect((await ids("WES")).ids).toEqual(["west"]);
    expect((await ids("-s", "healthy", "east")).ids).toEqual(["east"]);
    expect(await ids("-s", "offline")).toEqual({
      ids: [],
      stderr: ["vantage agents: None of 2 agents is meant"],
    });
  });

  test("show their prefixes and rates", async () => {
    const { stdout } = await place.run("ann", ["agents", "-o", "json", "east"]);
    expect(JSON.parse(stdout)).toMatchObject([
      {
        agent: "east",
        state: "healthy",
        ipv4_prefixes: ["192.0.2.0/24"],
        ipv6_prefixes: ["2001:db8:7::/48"],
        probes_per_sec: 50,
      },
    ]);
  });
});

test("whoami shows the user's own prefixes", async () => {
  const { stdout } = await place.run("ann", ["whoami", "-o", "json"]);
  const { prefixes } = JSON.parse(stdout);
  expect(prefixes.map(({ agent }: { agent: string }) => agent)).toEqual(["east", "west"]);
  expect(prefixes[0].user_prefix).toMatch(/^2001:db8:7:.*\/80$/);
});

describe("measurements", () => {
  test("are listed page by page, as many as are wanted", async () => {
    await place.logIn("lena");
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      ids.push(await sent("lena", "-a", "west"));
    }
    const listed = async (...args: string[]) =>
      (await place.run("lena", ["measurements", "-o", "ndjson", ...args])).stdout
        .trimEnd()
        .split("\n")
        .map((text) => JSON.parse(text).measurement_id);
    expect(await listed("--sort", "started")).toEqual(ids.toReversed());
    expect(await listed("--sort", "started", "--reverse", "-n", "2")).toEqual(ids.slice(0, 2));
  });

  test("are listed to the end, however many pages they take", async () => {
    await place.logIn("many");
    const token = await place.issuer.tokenFor("many");
    const submit = () =>
      fetch(`${place.address}/api/probes?agents=west`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "text/csv" },
        body: line,
      });
    for (let batch = 0; batch < 3; batch++) {
      const answers = await Promise.all(Array.from({ length: 40 }, submit));
      expect(answers.every(({ ok }) => ok)).toBe(true);
    }
    const { stdout } = await place.run("many", ["measurements", "-n", "1000", "-o", "csv"]);
    const ids = csv(stdout).map(([id]) => id);
    expect([ids.length, new Set(ids).size]).toEqual([121, 121]);
  });

  test("are picked by agent, status and time", async () => {
    const count = async (...args: string[]) => {
      const { stdout, stderr } = await place.run("ann", ["measurements", "-o", "json", ...args]);
      return { count: JSON.parse(stdout).length, stderr };
    };
    expect(await count("-a", "east", "--status", "queued,running", "--since", "1h")).toEqual({
      count: 1,
      stderr: [],
    });
    expect(await count("--until", "2020-01-01")).toEqual({
      count: 0,
      stderr: ["vantage measurements: Nothing matches these filters"],
    });
  });
});

test("cancel stops what is left, and says so again", async () => {
  await place.logIn("otto");
  const id = await sent("otto", "-a", "west");
  const first = await place.run("otto", ["cancel", id, "-o", "json"]);
  expect(JSON.parse(first.stdout)).toEqual([
    { measurement_id: id, cancelled: true, agents_cancelled: 1, message: "Measurement cancelled" },
  ]);
  const again = await place.run("otto", ["cancel", id]);
  expect([again.exitCode, again.stdout.includes("Measurement already cancelled")]).toEqual([0, true]);
  const used = async () => JSON.parse((await place.run("otto", ["whoami", "-o", "json"])).stdout).used;
  expect(await used()).toBe(1);
  await west.report(id, { sent_probes: 0, is_complete: false, is_stopped: true });
  expect(await used()).toBe(0);
});

describe("a mistake is one line that names it, and what to do", () => {
  test.each([
    [
      ["show"],
      2,
      "ID is missing: a measurement: its id, the beginning of it, or last; see vantage show --help",
    ],
    [
      ["show", "7"],
      2,
      'ID "7" is not the id of a measurement, nor its first characters, nor last; ' +
        "vantage measurements lists yours; see vantage show --help",
    ],
    [
      ["show", unknownId, unknownId],
      2,
      `There is an argument too many: "${unknownId}"; see vantage show --help`,
    ],
    [["show", unknownId], 1, "Measurement not found; vantage measurements lists yours"],
    [["cancel", unknownId], 1, "Measurement not found; vantage measurements lists yours"],
    [["whoami", "x"], 2, 'There is an argument too many: "x"; see vantage whoami --help'],
    [
      ["agents", "-o", "xml"],
      2,
      '--output "xml" is not one of table, json, ndjson, csv; see vantage agents --help',
    ],
    [
      ["agents", "--state=well"],
      2,
      '--state "well" is not one of healthy, unhealthy, paused, offline; see vantage agents --help',
    ],
    [
      ["measurements", "-n", "0"],
      2,
      '--limit "0" is not a number from 1 to 1000000; see vantage measurements --help',
    ],
    [
      ["measurements", "--sort=age"],
      2,
      '--sort "age" is not one of updated, started; see vantage measurements --help',
    ],
    [
      ["measurements", "--since=soon"],
      2,
      '--since "soon" is not a time, as 30m, 2d or 2026-01-31T12:00:00Z; see vantage measurements --help',
    ],
    [["limits", "--bogus"], 2, 'There is no option "--bogus"; see vantage limits --help'],
    [["whoami", "--profile=x"], 1, 'There is no profile "x"; known: test'],
  ])("%j", async (args, exitCode, message) => {
    const [name = ""] = args;
    expect(await place.run("ann", args)).toEqual({
      exitCode,
      stdout: "",
      stderr: [`vantage ${name}: ${message}`],
    });
  });

  test("also what the gateway finds wrong, field by field", async () => {
    const { exitCode, stderr } = await place.run("ann", ["measurements", "--status", "done"]);
    expect(exitCode).toBe(1);
    expect(stderr).toEqual([
      expect.stringContaining(
        "status must be some of queued,running,in-progress,complete,cancelled,failed,expired",
      ),
    ]);
  });

  test("another user's measurement is not found", async () => {
    await place.logIn("eve");
    expect((await place.run("eve", ["show", measurement])).stderr).toEqual([
      "vantage show: Measurement not found; vantage measurements lists yours",
    ]);
  });
});

describe("a terminal", () => {
  async function onTerminal(
    args: readonly string[],
    environment: Record<string, string> = {},
  ): Promise<string> {
    const decoder = new TextDecoder();
    let shown = "";
    const child = Bun.spawn([...vantageCommand, ...args], {
      cwd: `${import.meta.dirname}/../../..`,
      env: { ...process.env, XDG_CONFIG_HOME: place.settings("ann"), ...environment },
      terminal: {
        cols: 100,
        rows: 24,
        data: (_, bytes) => {
          shown += decoder.decode(bytes, { stream: true });
        },
      },
    });
    expect(await child.exited).toBe(0);
    return shown;
  }

  test("has colours, unless they are not wanted", async () => {
    expect(await onTerminal(["agents"], { NO_COLOR: "" })).toContain("\x1b[2m");
    expect(await onTerminal(["agents"], { NO_COLOR: "1" })).not.toContain("\x1b");
  });
});
