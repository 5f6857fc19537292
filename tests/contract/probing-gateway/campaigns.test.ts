/** Campaigns at a gateway: what they measure, what their users and operators may do with them. */
import { expect, test } from "bun:test";
import { agentOffsetMs } from "../../../lib/measuring/campaign/spread.ts";
import { come, endAll, made, measured, pass, plainCampaign } from "./campaign-time.ts";
import { addAgent, type GatewayHome, probeText } from "./gateway-home.ts";
import { eventually } from "./measurement-helpers.ts";
import { onBothEngines } from "./on-both-engines.ts";

onBothEngines((gateway) => {
  const sql = () => gateway().services.database.sql;
  const used = async (user: string) => (await gateway().json(user, "/api/user/me")).used;
  const post = (user: string, path: string, body: unknown = {}, method = "POST") =>
    gateway().json(user, path, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  test("each run is a measurement of its own, taken once and charged for itself", async () => {
    const id = await made(gateway(), "runner");
    const first = await measured(gateway(), "runner", id, 0);
    expect(await used("runner")).toBe(3);
    await endAll(gateway());
    await come(gateway(), "runner", id, ["0 done"]);
    await pass(gateway(), 0, id);
    const second = await measured(gateway(), "runner", id, 1);
    expect(await used("runner")).toBe(6);
    await endAll(gateway());
    await come(gateway(), "runner", id, ["0 done", "1 done"]);
    expect(second).not.toBe(first);
    for (const measurement of [first, second]) {
      expect(await gateway().records(measurement)).toHaveLength(1);
    }
    expect(await gateway().json("runner", `/api/campaigns/${id}`)).toMatchObject({
      phase: "active",
      done: 2,
      not_done: 0,
      next_run: 2,
      probes: plainCampaign.probes,
      definition: { every: 21_600, agents: "west" },
    });
    await post("runner", `/api/campaigns/${id}/stop`);
  });

  test("a run beside another is passed over, missed ones too, and the plan stays", async () => {
    const id = await made(gateway(), "late");
    await measured(gateway(), "late", id, 0);
    await pass(gateway(), 0, id);
    await come(gateway(), "late", id, ["0 open", "1-1 overlap"]);
    await endAll(gateway());
    await come(gateway(), "late", id, ["0 done", "1-1 overlap"]);
    await pass(gateway(), 4.75 * plainCampaign.every, id);
    await come(gateway(), "late", id, ["0 done", "1-1 overlap", "2-5 missed"]);
    const { next_run, next_at } = await gateway().json("late", `/api/campaigns/${id}`);
    expect(next_run).toBe(6);
    expect(Date.parse(String(next_at)) - Date.now()).toBeWithin(0, 1000 * plainCampaign.every);
    await post("late", `/api/campaigns/${id}/stop`);
  });

  test("a step whose taker was killed before it wrote that down is the same measurement, late or not", async () => {
    const id = await made(gateway(), "killed");
    const first = await measured(gateway(), "killed", id, 0);
    for (const latest of [sql()`now() + interval '1 h'`, sql()`now() - interval '1 h'`]) {
      await sql()`
        UPDATE campaign_steps SET state = 'due', measurement_id = NULL, claimed_until = NULL, latest_at = ${latest}
        WHERE campaign_id = ${id}`;
      gateway().services.campaigns.wake();
      expect(await measured(gateway(), "killed", id, 0)).toBe(first);
    }
    expect(await used("killed")).toBe(3);
    await post("killed", `/api/campaigns/${id}/stop`);
  });

  test("a run that cannot be taken is refused with the reason, and costs nothing", async () => {
    await addAgent(gateway(), "frail");
    const start = new Date(Date.now() + 60_000).toISOString();
    const id = await made(gateway(), "unlucky", { agents: "frail", start });
    await addAgent(gateway(), "frail", { healthy: false });
    gateway().services.agents.changed();
    await eventually(async () => {
      const query = "?agents=frail";
      expect((await gateway().submit("unlucky", probeText(1), { type: "text/csv", query })).status).toBe(400);
    });
    await pass(gateway(), 0, id);
    const [run] = await come(gateway(), "unlucky", id, ["0 refused"]);
    expect(run?.reason).toContain("No healthy agents");
    expect(await used("unlucky")).toBe(0);
    await post("unlucky", `/api/campaigns/${id}/stop`);
  });

  test("agents are spread over a run, each at its own time, the same in each run", async () => {
    const id = await made(gateway(), "spreader", { agents: "west,east", every: 600, spread: "5m" });
    const places = async (run: number) => {
      const steps = () => sql()<{ agents: string; after_ms: number }[]>`
        SELECT later.agents, (extract(epoch FROM later.due_at - first.due_at) * 1000)::integer AS after_ms
        FROM campaign_steps AS later JOIN campaign_steps AS first USING (campaign_id, run)
        WHERE campaign_id = ${id} AND run = ${run} AND later.step > 0 AND first.step = 0`;
      await eventually(async () => expect((await steps()).length).toBeGreaterThan(0));
      const agents = (await steps()).flatMap(({ agents: some, after_ms: afterMs }) =>
        some.split(",").map((agent) => [agent, afterMs] as const),
      );
      return Object.fromEntries(agents);
    };
    const slotMs = 5000;
    const placeOf = (agent: string) => Math.floor(agentOffsetMs(id, agent, 300_000) / slotMs) * slotMs;
    const first = await places(0);
    expect(first).toEqual({ east: placeOf("east"), west: placeOf("west") });
    // The steps come; the next run does not, yet.
    await sql()`
      UPDATE campaign_steps SET due_at = due_at - interval '5 min', latest_at = now() + interval '1 h'
      WHERE campaign_id = ${id}`;
    await eventually(async () => expect(await used("spreader")).toBe(6));
    await endAll(gateway());
    await come(gateway(), "spreader", id, ["0 done"]);
    await pass(gateway(), 0, id);
    expect(await places(1)).toEqual(first);
    await post("spreader", `/api/campaigns/${id}/stop`);
  });

  test("paused, resumed, edited, stopped: what is under way is cancelled and given back", async () => {
    const id = await made(gateway(), "boss");
    await measured(gateway(), "boss", id, 0);
    await endAll(gateway());
    await come(gateway(), "boss", id, ["0 done"]);
    expect(await post("boss", `/api/campaigns/${id}/pause`)).toMatchObject({ phase: "paused" });
    await pass(gateway(), 2.5 * plainCampaign.every, id);
    expect(await post("boss", `/api/campaigns/${id}/resume`)).toMatchObject({ phase: "active" });
    await come(gateway(), "boss", id, ["0 done", "1-2 paused"]);
    const edited = { ...plainCampaign, name: "wider", probes: probeText(5), every: 43_200 };
    expect(await post("boss", `/api/campaigns/${id}`, edited, "PUT")).toMatchObject({
      status_code: 200,
      campaign: { revision: 2, name: "wider", next_run: 3 },
      estimate: { probes_per_run: 5 },
    });
    await pass(gateway(), 0, id);
    const last = await measured(gateway(), "boss", id, 3);
    expect(await post("boss", `/api/campaigns/${id}/stop`)).toMatchObject({ ended_reason: "stopped" });
    const runs = await come(gateway(), "boss", id, ["0 done", "1-2 paused", "3 cancelled"]);
    expect(runs.at(-1)?.revision).toBe(2);
    const [cancelled] = await sql()`
      SELECT status FROM measurement_agents WHERE measurement_id = ${last}`;
    expect(cancelled?.status).toBe("cancelled");
    expect(await post("boss", `/api/campaigns/${id}/resume`)).toMatchObject({ code: "campaign_ended" });
  });

  test("an estimate makes nothing", async () => {
    const body = { ...plainCampaign, agents: "any-agent" };
    expect(await post("thrifty", "/api/campaigns/estimate", { ...plainCampaign, every: "1h" })).toMatchObject(
      {
        status_code: 200,
        agents: 1,
        probes_per_run: 3,
        runs_per_day: 24,
        probes_per_day: 72,
        quota_per_day: 10_000,
        quota_share: 0.0072,
        runs: 1000,
        probes: 3000,
      },
    );
    expect(await post("thrifty", "/api/campaigns/estimate", body)).toMatchObject({ agents: 0 });
    expect(await (await gateway().ask("thrifty", "/api/campaigns")).json()).toEqual([]);
  });

  test("what cannot be is refused with the place and the reason", async () => {
    const refusal = async (change: object) => {
      const { status_code, message, error } = await post("wrong", "/api/campaigns", {
        ...plainCampaign,
        ...change,
      });
      return `${status_code} ${message ?? error}`;
    };
    expect(await refusal({ every: 5 })).toContain("every must be 60 to 604800 seconds");
    expect(await refusal({ every: undefined })).toContain('needs one of "every", "cron" and "on"');
    expect(await refusal({ every: undefined, cron: "61 * * * *" })).toContain(
      "minute 61 is not from 0 to 59",
    );
    expect(await refusal({ max_runs: undefined })).toContain("needs an end");
    expect(await refusal({ max_run: 1 })).toContain('max_run is unknown; did you mean "max_runs"?');
    expect(await refusal({ alerts: { detectors: { los: {} } } })).toContain(
      'alerts.detectors.los is unknown; did you mean "loss"?',
    );
    expect(await refusal({ max_runs: undefined, forever: true })).toStartWith("403");
    expect(await refusal({ probes: "192.0.2.1,1,2" })).toContain("line 1");
    expect(await refusal({ follow_up: { ping: "responders" } })).toContain(
      "follow_up needs results, and this gateway has no column store",
    );
    expect(await refusal({ probes: probeText(3000) })).toContain("quota");
    expect(await refusal({ zone: "UTC" })).toContain('"zone" requires "cron"');
    expect(await refusal({ speed: 5 })).toContain("speed");
  });

  test("a name goes on once, a user has only so many, and others see nothing of it", async () => {
    const start = new Date(Date.now() + 3_600_000).toISOString();
    const id = await made(gateway(), "many", { start });
    expect(await post("many", "/api/campaigns", plainCampaign)).toMatchObject({
      status_code: 409,
      code: "campaign_exists",
    });
    const renamed = await made(gateway(), "many", { name: "watch 0", every: 86_400, start });
    expect(await post("many", `/api/campaigns/${renamed}`, plainCampaign, "PUT")).toMatchObject({
      status_code: 409,
      code: "campaign_exists",
    });
    for (let i = 1; i < 19; i++) {
      await made(gateway(), "many", { name: `watch ${i}`, every: 86_400, start });
    }
    expect(await post("many", "/api/campaigns", { ...plainCampaign, name: "more", start })).toMatchObject({
      status_code: 429,
      code: "too_many_campaigns",
    });
    for (const path of [`/api/campaigns/${id}`, `/api/campaigns/${id}/runs`]) {
      expect(await gateway().json("nosy", path)).toMatchObject({
        status_code: 404,
        code: "campaign_not_found",
      });
    }
    expect(await post("nosy", `/api/campaigns/${id}/stop`)).toMatchObject({ status_code: 404 });
  });

  test("operators see all and stop any, which is in the audit", async () => {
    const id = await made(gateway(), "watched");
    await measured(gateway(), "watched", id, 0);
    const admin = (path: string, body?: object) => asAdmin(gateway(), path, body);
    const all = (await (await admin("/admin/campaigns?limit=100")).json()) as { id: string }[];
    expect(all.map((one) => one.id)).toContain(id);
    const stopped = await admin(`/admin/campaigns/${id}/stop`, { reason: "It loads the network" });
    expect(await stopped.json()).toMatchObject({ phase: "ended", stopped_because: "It loads the network" });
    const [entry] = await sql()`SELECT action, details FROM audit WHERE subject = ${`campaign:${id}`}`;
    expect(entry).toMatchObject({ action: "campaign.stop", details: { reason: "It loads the network" } });
    await come(gateway(), "watched", id, ["0 cancelled"]);
  });
});

function asAdmin(home: GatewayHome, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${home.services.adminKey}`, "content-type": "application/json" };
  return home.ask(
    null,
    path,
    body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) },
  );
}
