/** How measurements are found again: titles, names, tags, notes, origins, targets, runs of a campaign as one. */
import { beforeAll, expect, test } from "bun:test";
import { submitted } from "./measurement-helpers.ts";
import { onBothEngines } from "./on-both-engines.ts";

interface Row {
  readonly measurement_id: string;
  readonly title: string;
  readonly folded_runs?: number;
}

const lines = (destinations: readonly string[], ttls: readonly number[], flows = 1) =>
  destinations
    .flatMap((dst) =>
      ttls.flatMap((ttl) =>
        Array.from({ length: flows }, (_, i) => `${dst},${24_000 + i},33434,${ttl},udp\n`),
      ),
    )
    .join("");

onBothEngines((gateway) => {
  const ids = new Map<string, string>();

  async function submit(call: string, body: string, query: Readonly<Record<string, string>>, agent = "") {
    const asked = `?${new URLSearchParams({ agents: "west", ...query })}`;
    const headers = agent === "" ? {} : { "user-agent": agent };
    const response = await gateway().submit("namer", body, { type: "text/csv", query: asked, headers });
    const answer = (await response.json()) as { id: string };
    expect(response.status).toBe(200);
    ids.set(call, answer.id);
  }

  beforeAll(async () => {
    await submit("trace", lines(["203.0.113.10"], [1, 2, 3], 8), {}, "vantage/1.0 (trace)");
    const labels = { name: "Nightly check", tags: "lab, eu,lab", note: "Fibre cut\nat the exchange" };
    await submit("ping", lines(["198.51.100.1", "198.51.100.2"], [64]), labels);
    await submit("page", lines(["2001:db8::1"], [1, 2]), {}, "vantage-console");
  });

  async function listed(query: string): Promise<string[]> {
    const response = await gateway().ask("namer", `/api/measurements?sort=started&${query}`);
    expect(response.status).toBe(200);
    const rows = (await response.json()) as Row[];
    return rows.map(({ measurement_id: id }) => [...ids].find(([, known]) => known === id)?.[0] ?? id);
  }

  const status = (name: string) => gateway().json("namer", `/api/measurements/${ids.get(name)}/status`);

  test("titles say what is measured; a name takes the place of the title", async () => {
    expect(await status("trace")).toMatchObject({
      title: "UDP traces to 203.0.113.10 from west, 8 flows",
      ...{ name: null, tags: [], note: null, kind: "trace", destinations: 1 },
      origin: { kind: "command", text: "vantage trace", token_id: null, campaign_id: null },
    });
    expect(await status("ping")).toMatchObject({
      ...{
        title: "Nightly check",
        name: "Nightly check",
        tags: ["lab", "eu"],
        kind: "ping",
        destinations: 2,
      },
      note: "Fibre cut\nat the exchange",
    });
    expect(await status("page")).toMatchObject({ origin: { kind: "console", text: "console" } });
  });

  test.each<[string, string[]]>([
    ["target=203.0.113.10", ["trace"]],
    ["target=198.51.100.0/24", ["ping"]],
    ["target=198.51.100.3", []],
    ["target=2001:db8::/32", ["page"]],
    ["kind=ping", ["ping"]],
    ["kind=trace", ["page", "trace"]],
    ["name=NIGHTLY", ["ping"]],
    ["name=exchange", ["ping"]],
    ["name=%25", []],
    ["tag=eu", ["ping"]],
    ["tag=eu,lab", ["ping"]],
    ["tag=eu,other", []],
    ["by_hand=true", ["page", "ping", "trace"]],
  ])("%s", async (query, expected) => {
    expect(await listed(query)).toEqual(expected);
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ["a long name", { name: "x".repeat(101) }, "name must have at most 100 characters"],
    ["a name of two lines", { name: "a\nb" }, "name must be one line without control characters"],
    ["a name that turns around", { name: "a\u202eb" }, "name must be one line without control characters"],
    [
      "many tags",
      { tags: Array.from({ length: 17 }, (_, i) => `t${i}`).join() },
      "tags must be at most 16 tags",
    ],
    ["a long note", { note: "x".repeat(1001) }, "note must have at most 1000 characters"],
  ])("%s is refused", async (_what, labels, reason) => {
    const query = `?${new URLSearchParams({ agents: "west", ...labels })}`;
    const response = await gateway().submit("namer", lines(["203.0.113.10"], [1]), {
      type: "text/csv",
      query,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining(reason) });
  });

  test("a note of 1000 characters of three bytes fits a query", async () => {
    const note = "\u8a18".repeat(1000);
    await submit("noted", lines(["203.0.113.99"], [1]), { note });
    expect(await status("noted")).toMatchObject({ note });
    const change = {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: '{"note":null}',
    };
    expect(await gateway().json("namer", `/api/measurements/${ids.get("noted")}`, change)).toMatchObject({
      note: null,
    });
  });

  test("labels are changed later by their user alone, and what is left out stays", async () => {
    const path = `/api/measurements/${ids.get("ping")}`;
    const change = (user: string, body: object) =>
      gateway().json(user, path, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    expect(await change("namer", { name: "Weekly", tags: ["lab"] })).toMatchObject({
      ...{ title: "Weekly", tags: ["lab"], note: "Fibre cut\nat the exchange" },
    });
    expect(await change("namer", { name: null, note: "" })).toMatchObject({
      ...{ title: "UDP pings to 2 destinations from west", name: null, note: null, tags: ["lab"] },
    });
    expect(await change("other", { name: "mine" })).toMatchObject({ status_code: 404 });
    expect(await change("namer", { name: "x", other: 1 })).toMatchObject({ status_code: 422 });
  });

  test("they count as stored bytes, and are refused where there is no room", async () => {
    const before = await gateway().json("namer", "/api/limits");
    await submit("stored", lines(["203.0.113.98"], [1]), { name: "n".repeat(100), note: "x".repeat(900) });
    const after = await gateway().json("namer", "/api/limits");
    const used = ({ stored_bytes }: Record<string, unknown>) => (stored_bytes as { used: number }).used;
    expect(used(after) - used(before)).toBe(1000);
  });

  test("the newest run of a campaign stands for all of them", async () => {
    const { sql } = gateway().services.database;
    const campaign = crypto.randomUUID();
    const runs: string[] = [];
    for (let run = 0; run < 3; run++) {
      runs.push(await submitted(gateway(), "runner", "west"));
      await sql`
        UPDATE measurements SET campaign_id = ${campaign}, campaign_run = ${run}, made_by = NULL
        WHERE measurement_id = ${runs[run] ?? ""}`;
    }
    const alone = await submitted(gateway(), "runner", "west");
    const rows = async (query: string) =>
      (await (await gateway().ask("runner", `/api/measurements?sort=started&${query}`)).json()) as Row[];
    expect((await rows("fold=true")).map((row) => [row.measurement_id, row.folded_runs])).toEqual([
      [alone, undefined],
      [runs[2] ?? "", 3],
    ]);
    expect((await rows(`campaign=${campaign}`)).map((row) => row.measurement_id)).toEqual(runs.toReversed());
    expect((await rows("by_hand=true")).map((row) => row.measurement_id)).toEqual([alone]);
    expect((await rows("fold=true&status=queued,running,complete")).length).toBe(4);
    const [newest] = await rows(`campaign=${campaign}`);
    expect(newest).toMatchObject({
      origin: { kind: "campaign", text: `campaign ${campaign.slice(0, 8)}, run 2`, run: 2, round: null },
    });
  });

  test("what is added to an open measurement counts in its title", async () => {
    await submit("open", lines(["203.0.113.40"], [1], 2), { open: "true" });
    const added = await gateway().ask("namer", `/api/measurements/${ids.get("open")}/probes`, {
      method: "POST",
      headers: { "content-type": "text/csv" },
      body: lines(["203.0.113.40"], [2, 3], 4),
    });
    expect(added.status).toBe(200);
    expect(await status("open")).toMatchObject({ title: "UDP traces to 203.0.113.40 from west, 4 flows" });
  });
});
