/** How often exchange servers take a change of a prefix, as client stacks report it and users read it. */
import { expect, test } from "bun:test";
import { onBothEngines } from "./on-both-engines.ts";
import type { PeeringHome } from "./peering-home.ts";

const minuteMs = 60_000;

onBothEngines((start) => {
  const list = async (home: PeeringHome) => (await home.ask("ann", "GET", "/api/announcements")).body;

  test("what an exchange server still takes is said with the budget, and comes back by the clock", async () => {
    await using home = await start();
    const prefix = await home.lease("ann");
    const inMinutes = (minutes: number) => new Date(Date.now() + minutes * minuteMs).toISOString();
    const state = (server: string, changes: unknown) => ({
      ...{ prefix, server, announce: true, prepend: 0, daemon_ns: "1", daemon_reason: null },
      ...{ exchange: "accepted", exchange_ns: "2", exchange_reason: null, heard_by: [], changes },
    });
    const rules = { max: 5, every_seconds: 600 };
    const report = (machine: string, states: unknown[]) =>
      home.ask("ann", "PUT", "/api/announcement-report", { machine, version: 1, taken_ns: "1", states });
    const left = async () =>
      (await list(home)).budget.prefixes[0].exchanges.map((one: Record<string, unknown>) => [
        one.server,
        one.changes_left,
        one.held_until,
      ]);
    expect((await list(home)).budget.prefixes).toMatchObject([{ prefix, exchanges: [] }]);
    const held = inMinutes(15);
    await report("100.64.0.1", [
      state("ixp-b", { ...rules, spent_until: inMinutes(50), held_until: held }),
      state("ixp-a", { ...rules, spent_until: null, held_until: null }),
      state("ixp-c", null),
    ]);
    expect(await left()).toEqual([
      ["ixp-a", 5, null],
      ["ixp-b", 0, held],
    ]);
    // Another machine of the user's has heard of a change since.
    await Bun.sleep(2);
    await report("100.64.0.2", [state("ixp-a", { ...rules, spent_until: inMinutes(19), held_until: null })]);
    expect((await left())[0]).toEqual(["ixp-a", 3, null]);
    await home.shift(16 * minuteMs);
    expect(await left()).toEqual([
      ["ixp-a", 4, null],
      ["ixp-b", 1, null],
    ]);
    const [{ changes_max: max, one_more_at: next }] = (await list(home)).budget.prefixes[0].exchanges;
    expect([max, Math.round((Date.parse(next) - Date.now()) / minuteMs)]).toEqual([5, 19]);
    const wrong = await report("100.64.0.1", [
      state("ixp-a", { ...rules, every_seconds: 0, spent_until: null }),
    ]);
    expect(wrong.status).toBe(422);
  });
});
