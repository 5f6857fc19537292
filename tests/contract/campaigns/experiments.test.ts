/** Journals of experiments that were imported at a gateway, each once, for their user; and what they come to. */
import { expect, test } from "bun:test";
import * as v from "valibot";
import { eraseUser } from "../../../apps/probing/gateway/admin/erase-user.ts";
import { exportedUser } from "../../../apps/probing/gateway/admin/export-user.ts";
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import { experimentSchema } from "../../../lib/measuring/experiment/definition.ts";
import { onBothEngines } from "../probing-gateway/on-both-engines.ts";

const startMs = Date.UTC(2026, 10, 24, 8);
const pace = { spacingSec: 600, perHourMax: 10 };
const sites = ["ixp-1", "ixp-2"];
const experiment = v.parse(experimentSchema, {
  experiment: "two sites",
  prefix: "2001:db8:51::/48",
  probe: {
    agents: ["west", "east"],
    targets: ["192.0.2.1", "192.0.2.2"],
    sites: { west: "ixp-1", east: "ixp-2" },
  },
  steps: [
    { at: 0, announce: { sites }, probe: { catchment: { after: 60 } } },
    { at: 3600, withdraw: { sites: ["ixp-2"] }, probe: { catchment: { after: 60 } } },
  ],
});

interface Detail {
  readonly definition: { readonly probe: object & { readonly targets?: unknown } };
  readonly rounds: readonly { readonly round: number; readonly site: string }[];
}

interface Kept {
  readonly id: string;
  readonly entries: number;
  readonly status?: number;
}

const ns = (sec: number) => String(BigInt(startMs + Math.round(1000 * sec)) * 1_000_000n);
const event = (sec: number, fields: object) => ({
  kind: "event",
  event: { timeNs: ns(sec), plane: "control", source: "controller", subject: "", detail: "", ...fields },
});

function journalOf(name: string): string[] {
  const definition = JSON.stringify([{ ...experiment, experiment: name }, sites, pace]);
  return [
    { kind: "begun", name, startMs, definition },
    { kind: "asked", action: 0, atNs: ns(1) },
    { kind: "done", action: 0, atNs: ns(1.5) },
    event(1, { subject: "ixp-1", event: "asked", detail: "announce" }),
    event(9, {
      source: "collector",
      subject: "up-1",
      event: "route",
      detail: '=HYPERLINK("x")',
      withinNs: "500000",
    }),
    { kind: "round", round: 0, sites: { "192.0.2.1": ["west"], "192.0.2.2": ["west"] } },
    { kind: "round", round: 1, sites: { "192.0.2.1": ["west"], "192.0.2.2": ["east"] } },
  ].map((entry) => JSON.stringify(entry));
}

onBothEngines((gateway) => {
  const post = (user: string, path: string, body: object) =>
    gateway().json(user, `/api/experiments${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }) as Promise<object> as Promise<Kept>;
  const send = (user: string, lines: readonly string[]) => post(user, "/import", { lines });
  const list = async (user: string, path: string) => (await gateway().ask(user, path)).json();
  const kept = async (user: string, lines: readonly string[]) => {
    const { id, entries } = await send(user, lines);
    expect(entries).toBe(lines.length);
    return id;
  };

  test("a journal that is sent again, longer, replaces itself", async () => {
    const lines = journalOf("once");
    await kept("keeper", lines.slice(0, 4));
    const id = await kept("keeper", lines);
    const journal = await gateway().ask("keeper", `/api/experiments/${id}/journal`);
    expect(await journal.text()).toBe(`${lines.join("\n")}\n`);
    expect(await list("keeper", "/api/experiments")).toMatchObject([
      { id, name: "once", prefix: "2001:db8:51::/48", state: "running", reason: null, actions: 6 },
    ]);
    const stop = await gateway().json("keeper", `/api/experiments/${id}/stop`, { method: "POST" });
    expect(stop).toMatchObject({ status: 409, message: expect.stringContaining("was imported") });
    await gateway().services.database.sql`
      UPDATE experiments SET heard_at = now() - interval '3 minutes' WHERE experiment_id = ${id}`;
    expect(await gateway().json("keeper", `/api/experiments/${id}`)).toMatchObject({ state: "silent" });
    const end = JSON.stringify({ kind: "ended", atNs: ns(99), reason: "finished" });
    const over = await kept("keeper", [...lines, end]);
    expect(await gateway().json("keeper", `/api/experiments/${over}`)).toMatchObject({
      ...{ state: "ended", reason: "finished", ended_at: new Date(startMs + 99_000).toISOString() },
    });
  });

  test("rounds, changes, convergence and the time line are those of the journal", async () => {
    const id = await kept("reader", journalOf("read"));
    const detail = await gateway().json("reader", `/api/experiments/${id}`);
    expect(detail).toMatchObject({
      ...{ done: 1, targets: 2, events: 2, definition: { prefix: "2001:db8:51::/48" } },
      changes: [{ number: 1, text: "announce ixp-1" }],
      moves: [{ round: 1, from: "ixp-1", to: "ixp-2", targets: 1 }],
      convergence: [
        { change: 1, plane: "control", who: "up-1", first_s: 8, last_s: 8, signs: 1, within_ms: 0.5 },
      ],
    });
    const { definition, rounds } = detail as unknown as Detail;
    expect(definition.probe.targets).toBeUndefined();
    expect(rounds.filter(({ round }) => round === 1)).toMatchObject([
      { site: "ixp-1", targets: 1, moved_here: 0 },
      { site: "ixp-2", targets: 1, moved_here: 1 },
      { site: "(several)", targets: 0 },
      { site: "(silent)", targets: 0 },
    ]);
    const path = `/api/experiments/${id}/timeline`;
    const first = await gateway().ask("reader", `${path}?limit=1`);
    expect(await first.json()).toMatchObject([
      { event: "asked", time: new Date(startMs + 1000).toISOString() },
    ]);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    expect(await list("reader", next)).toMatchObject([{ event: "first-sight", within_ms: 0.5 }]);
    const csv = await (await gateway().ask("reader", `${path}?format=csv`)).text();
    expect(csv.split("\n")[0]).toBe("time_ns,at_ns,time,within_ms,plane,source,subject,event,detail");
    // What a spreadsheet would compute is text there.
    expect(csv).toContain(`"'=HYPERLINK(""x"")"`);
  });

  test("others see nothing of it; it goes when its user removes it", async () => {
    const lines = journalOf("own");
    const id = await kept("owner", lines);
    const unknown = { status: 404, code: "unknown_experiment" };
    for (const rest of ["", "/timeline", "/journal"]) {
      expect(await gateway().json("stranger", `/api/experiments/${id}${rest}`)).toMatchObject(unknown);
    }
    const remove = (user: string) => gateway().ask(user, `/api/experiments/${id}`, { method: "DELETE" });
    expect((await remove("stranger")).status).toBe(404);
    expect(await kept("stranger", lines)).not.toBe(id);
    expect((await remove("owner")).status).toBe(204);
    expect(await gateway().json("owner", `/api/experiments/${id}`)).toMatchObject(unknown);
  });

  test("what is not a journal is refused, with the place and the reason", async () => {
    const lines = journalOf("wrong");
    const refused = async (line: string, reason: string) =>
      expect(await send("wrong", [lines[0] ?? "", line])).toMatchObject({
        ...{ status: 422, fields: [{ path: "lines.1", reason: expect.stringContaining(reason) }] },
      });
    await refused("{", "is not JSON");
    await refused('{"kind":"other"}', "kind");
    await refused(lines[0] ?? "", "first line");
    await refused(JSON.stringify({ kind: "done", action: -1, atNs: "1" }), "action");
    await refused(JSON.stringify({ kind: "done", action: 1, atNs: "-5" }), "atNs");
    await refused(JSON.stringify({ kind: "look", action: 1, number: 1e9, seen: null }), "number");
    for (const definition of ["{", "[]", JSON.stringify([experiment, sites, {}])]) {
      const begun = JSON.stringify({ kind: "begun", name: "x", startMs, definition });
      expect(await send("wrong", [begun])).toMatchObject({ status: 422, fields: [{ path: "lines.0" }] });
    }
    expect(await send("wrong", [lines[1] ?? ""])).toMatchObject({ status: 422 });
    // Nothing of a journal with a wrong line is kept.
    expect(await list("wrong", "/api/experiments")).toEqual([]);
  });

  test("names that every object has are names of agents like others", async () => {
    const lines = journalOf("names");
    const sitesOfTarget = JSON.parse('{"192.0.2.1":["constructor"],"__proto__":["toString"]}');
    const line = JSON.stringify({ kind: "round", round: 0, sites: sitesOfTarget });
    const id = await kept("names", [...lines.slice(0, 5), line]);
    const { rounds } = (await gateway().json("names", `/api/experiments/${id}`)) as unknown as Detail;
    expect(rounds.map(({ site }) => site)).toContain("constructor");
  });

  test("a user's export has its journals, and erasing takes them", async () => {
    const lines = journalOf("erased");
    await kept("leaver", lines);
    const { services } = gateway();
    const { userHash: hash } = identityOf("leaver");
    const text = (await Array.fromAsync(await exportedUser(services.database, hash))).join("");
    expect(JSON.parse(text).experiments).toMatchObject([{ name: "erased", journal: lines }]);
    const { erased } = await eraseUser(services, { hash, by: "test", isStoreSkipped: true });
    expect(erased).toContainEqual({ place: "database", what: "experiments, with their journals", rows: 1 });
  });
});
