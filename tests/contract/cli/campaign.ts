/** `vantage campaign`: from a file to runs, and what is said of what cannot be. */
import { beforeAll, describe, expect, test } from "bun:test";
import { place } from "./shared-place.ts";

const file = `name: path watch
agents: [west]
probes: |
  203.0.113.9,24000,33434,7,UDP
  203.0.113.9,24000,33434,8,UDP
every: 6h
spread: 0
max_runs: 4
`;

beforeAll(() => place.logIn("cam"));

const campaign = (args: readonly string[], input = "") => place.run("cam", ["campaign", ...args], { input });

async function json(args: readonly string[], input = "") {
  const { exitCode, stdout, stderr } = await campaign([...args, "-o", "json"], input);
  expect([exitCode, exitCode === 0 ? [] : stderr]).toEqual([0, []]);
  return JSON.parse(stdout);
}

describe("a campaign", () => {
  test("is checked, made, shown, paused, resumed, edited and stopped, by name or the beginning of its id", async () => {
    expect(await json(["create", "--check", "-"], file)).toMatchObject({
      agents: 1,
      probes_per_run: 2,
      probes_per_day: 8,
      runs: 4,
      probes: 8,
    });
    expect(await json(["list"])).toEqual([]);
    const made = await campaign(["create", "-", "-o", "json"], file);
    expect([made.exitCode, made.stderr[0]]).toEqual([0, expect.stringContaining("2 probes a run, 8 a day")]);
    const { id } = JSON.parse(made.stdout);
    expect(await json(["show", "path watch"])).toMatchObject({ id, phase: "active", revision: 1 });
    // Before it is paused: what becomes due in a pause is passed over.
    let runs = [];
    while (runs[0]?.measurements.length !== 1) {
      runs = await json(["runs", "path watch"]);
      await Bun.sleep(100);
    }
    expect(runs).toMatchObject([{ run: 0, last_run: 0, state: "open" }]);
    expect(await json(["pause", id.slice(0, 8)])).toMatchObject({ id, phase: "paused" });
    expect(await json(["resume", "path watch"])).toMatchObject({ phase: "active" });
    expect(await json(["edit", "path watch", "-"], file.replace("6h", "12h"))).toMatchObject({ revision: 2 });
    expect(await json(["stop", "path watch"])).toMatchObject({ phase: "ended", ended_reason: "stopped" });
    expect((await json(["list"]))[0]).toMatchObject({ id, phase: "ended" });
    expect((await campaign(["remove", "path watch"])).stderr.at(-1)).toContain(`Removed ${id}`);
    expect(await json(["list"])).toEqual([]);
  });

  test("that continues is not removed", async () => {
    const { id } = JSON.parse((await campaign(["create", "-", "-o", "json"], file)).stdout);
    const name = "path watch";
    const token = ["token", "create", "-s", "campaigns:read", "--campaign", name, "reader", "-o", "json"];
    expect(JSON.parse((await place.run("cam", token)).stdout).campaign_id).toBe(id);
    expect((await place.run("cam", ["share", name, "--campaign", "-o", "json"])).stdout).toContain(id);
    const refused = await campaign(["remove", id]);
    expect([refused.exitCode, refused.stderr.join()]).toEqual([
      expect.any(Number),
      expect.stringContaining("Stop the campaign first"),
    ]);
    expect(refused.exitCode).not.toBe(0);
    await json(["stop", id]);
    await campaign(["remove", id]);
  });

  test("with a fault in its file says where", async () => {
    const said = async (input: string) => (await campaign(["create", "-"], input)).stderr.join("\n");
    expect(await said("name: [")).toContain("not YAML");
    expect(await said("- 1")).toContain("must be a section of keys");
    expect(await said(file.replace("6h", "1s"))).toContain(
      "Cannot use standard input:6: every must be 60 to 604800 seconds",
    );
    const alerts =
      "alerts:\n  deliveries:\n    - webhook: http://192.0.2.1/\n      secret: 0123456789abcdef\n";
    expect(await said(`${file}${alerts}`)).toContain(
      "Cannot use standard input:9: alerts need a column store",
    );
    const short = alerts.replace("0123456789abcdef", "short");
    expect(await said(`${file}${short}`)).toMatch(/Cannot use standard input:1[12]: alerts\.deliveries\.0/);
    expect(await said(file.replace(",7,", ",x,"))).toContain("line 1");
    expect(await said(file.replace("every: 6h", "on: {webhook: true, detectors: [rtt]}"))).toBe(
      'vantage campaign create: Cannot use standard input: "detectors" requires "alert"',
    );
    expect((await campaign(["show", "nothing"])).stderr).toEqual([
      'vantage campaign show: You have no campaign "nothing": vantage campaign list',
    ]);
  });
});
