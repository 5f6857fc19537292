/** Users' own data: numbers, days, limits. */
import { expect, test } from "bun:test";
import { UserDirectory } from "../../../apps/probing/gateway/users/user-directory.ts";
import { probeText } from "./gateway-home.ts";
import { submitted } from "./measurement-helpers.ts";
import { onBothEngines } from "./on-both-engines.ts";

onBothEngines((gateway) => {
  const me = (user: string) => gateway().json(user, "/api/user/me");
  test("the day's figures cost the same whatever there is, and another day's are not today's", async () => {
    const id = await submitted(gateway(), "yesterday", "west");
    const { sql } = gateway().services.database;
    await sql`
      UPDATE quota_days SET day = day - 1
      WHERE user_hash = (SELECT user_hash FROM measurements WHERE measurement_id = ${id})`;
    expect(await me("yesterday")).toMatchObject({
      used: 0,
      submission_count: 0,
      last_submitted: expect.stringMatching(/Z$/),
    });
    expect(await me("new")).toMatchObject({
      used: 0,
      limit: 10_000,
      submission_count: 0,
      last_submitted: null,
    });
  });

  test("two users who draw the same number get different ones, and each keeps it", async () => {
    const { database } = gateway().services;
    const draws = [0, 0x7000_0000, 0x7000_0000, 0x7000_0001];
    const directory = new UserDirectory(database, () => draws.shift() ?? 0);
    const hashes = ["0".repeat(64), "1".repeat(64)];
    expect([await directory.idOf(hashes[0] ?? ""), await directory.idOf(hashes[1] ?? "")]).toEqual([
      0x7000_0000, 0x7000_0001,
    ]);
    expect(await new UserDirectory(database, () => 5000).idOf(hashes[1] ?? "")).toBe(0x7000_0001);
  });

  // Played by somebody who sees a packet, and has 32 bits of its sender, and a list of people to compare them with.
  test("a user's number does not follow from the subject", async () => {
    const guesses = Array.from({ length: 50 }, (_, i) => `person${i}@example.net`);
    const numbers = await Promise.all(guesses.map(async (subject) => (await me(subject)).user_id as number));
    const hashed = guesses.map((subject) => {
      const hash = new Bun.CryptoHasher("sha256").update(subject).digest("hex");
      return Number.parseInt(hash.slice(0, 8), 16);
    });
    expect(numbers.filter((number, i) => number === hashed[i])).toEqual([]);
    expect(new Set(numbers).size).toBe(guesses.length);
    expect(await me("person0@example.net")).toMatchObject({ user_id: numbers[0] });
  });

  test("a suspended user may look, and not measure", async () => {
    await me("suspended");
    const { sql } = gateway().services.database;
    const hash = new Bun.CryptoHasher("sha256").update("suspended").digest("hex");
    await sql`UPDATE users SET suspended_at = now(), suspended_reason = 'abuse' WHERE user_hash = ${hash}`;
    const response = await gateway().submit("suspended", probeText(1), {
      type: "text/csv",
      query: "?agents=west",
    });
    expect([response.status, await response.json()]).toMatchObject([403, { code: "user_suspended" }]);
    expect(await me("suspended")).toMatchObject({ status_code: 200 });
  });

  test("a user's own limit applies, and is shown", async () => {
    await me("limited");
    const { sql } = gateway().services.database;
    const hash = new Bun.CryptoHasher("sha256").update("limited").digest("hex");
    await sql`UPDATE users SET probes_per_day_max = 5 WHERE user_hash = ${hash}`;
    const submit = (probes: number) =>
      gateway().submit("limited", probeText(probes), { type: "text/csv", query: "?agents=west" });
    expect([(await submit(6)).status, (await submit(5)).status, (await submit(1)).status]).toEqual([
      429, 200, 429,
    ]);
    expect(await gateway().json("limited", "/api/limits")).toMatchObject({
      probes_per_day: { limit: 5, used: 5, remaining: 0 },
      agents_per_submission: 1000,
      retention_days: 7,
    });
  });
});
