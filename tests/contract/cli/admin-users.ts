/** `vantage admin users`: at both gateways. */
import { describe, expect, test } from "bun:test";
import { admin, hashOf, json, line, place } from "./admin-place.ts";

describe("users", () => {
  test("are listed with what each gateway knows of them", async () => {
    const rows = await json("users", "list");
    const ann = (rows as { user_hash: string }[]).filter((row) => row.user_hash === hashOf("ann"));
    expect(ann).toMatchObject([
      { gateway: "probing", used_today: 1, asn: null, live_leases: null },
      { gateway: "peering", used_today: null, asn: 65_000, live_leases: 1 },
    ]);
    const none = await json("users", "list", "--suspended");
    expect(none).toEqual([]);
  });

  test("in every form of output", async () => {
    const { stdout: csv } = await admin("users", "show", "ann", "-o", "csv");
    expect(
      csv
        .trimEnd()
        .split("\n")
        .map((line) => line.split(",").slice(0, 2)),
    ).toEqual([
      ["gateway", "user_hash"],
      ["probing", hashOf("ann")],
      ["peering", hashOf("ann")],
    ]);
    const { stdout: ndjson } = await admin("users", "show", hashOf("ann"), "-o", "ndjson");
    expect(ndjson.trimEnd().split("\n")).toHaveLength(2);
    expect((await admin("users", "show", "ann")).stdout).toMatch(/^gateway +user +name +used today/);
  });

  test("are limited at the gateway that has the limit", async () => {
    const limited = await json("users", "limit", "ann", "--probes-per-day", "77", "--leases", "3");
    expect(limited).toMatchObject([{ probes_per_day_max: 77 }, { leases_max: 3 }]);
    const back = await json("users", "limit", "ann", "--probes-per-day", "default");
    expect(back).toMatchObject([{ gateway: "probing", probes_per_day_max: null }]);
    const { stderr } = await admin("users", "limit", "ann");
    expect(stderr[0]).toContain("No limit is given: --probes-per-day");
  });

  test("are suspended at both, and see why", async () => {
    const suspended = await json("users", "suspend", "ann", "--reason", "scans a hospital");
    expect(suspended).toMatchObject([
      { gateway: "probing", suspended_reason: "scans a hospital" },
      { gateway: "peering", suspended_reason: "scans a hospital" },
    ]);
    const sent = await place.run("ann", ["send", "-a", "west"], { input: line });
    expect(sent.stderr[0]).toContain("Your account is suspended: scans a hospital");
    expect(await json("users", "resume", "ann", "--only", "peering")).toMatchObject([
      { gateway: "peering", suspended_at: null },
    ]);
    expect(await json("users", "resume", "ann")).toMatchObject([
      { suspended_at: null },
      { suspended_at: null },
    ]);
  });

  test("are found by all that commands and pages print of them", async () => {
    const { stdout } = await place.run("ann", ["whoami", "-o", "json"]);
    const { user_id: number, user_hash: hash } = JSON.parse(stdout);
    expect(hash).toBe(hashOf("ann"));
    for (const given of ["ann", String(number), hash, hash.slice(0, 8)]) {
      expect(await json("users", "show", given)).toMatchObject([
        { gateway: "probing", user_hash: hash },
        { gateway: "peering", user_hash: hash },
      ]);
    }
  });

  test("who are not known are said so", async () => {
    const { exitCode, stderr } = await admin("users", "show", "nobody");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: ["vantage admin users show: No such user: nobody. Users appear after their first request"],
    });
  });
});
