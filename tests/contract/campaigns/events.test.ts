/** Campaigns that begin their runs with events: each event once, within the limit of an hour, and in no circle. */
import { expect, test } from "bun:test";
import { made, plainCampaign } from "../probing-gateway/campaign-time.ts";
import { eventually } from "../probing-gateway/measurement-helpers.ts";
import { onBothEngines } from "../probing-gateway/on-both-engines.ts";

onBothEngines((gateway) => {
  const user = "events";
  const on = (source: object, more: object = {}) => ({ every: undefined, on: source, ...more });
  const runs = async (id: string) => {
    const rows = await (await gateway().ask(user, `/api/campaigns/${id}/runs`)).json();
    return (rows as { run: number; state: string }[]).map(({ run }) => run).toSorted();
  };
  const post = (path: string, body: object, who = user) =>
    gateway().json(who, path, {
      ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
    });
  const happen = (id: string, event: string, who = user) =>
    post(`/api/campaigns/${id}/events`, { event }, who);
  const detail = (id: string) => gateway().json(user, `/api/campaigns/${id}`);
  /** Agents have done what there is. */
  const end = async () => {
    await gateway().services.database.sql`UPDATE measurements SET ended_at = now() WHERE ended_at IS NULL`;
  };

  test("a webhook starts a run, the same one not again; a storm is cut, and says so", async () => {
    const id = await made(gateway(), user, { name: "hooked", ...on({ webhook: true, per_hour: 2 }) });
    expect(await runs(id)).toEqual([]);
    expect(await happen(id, "one")).toMatchObject({ status_code: 200, is_new: true });
    await eventually(async () => expect(await runs(id)).toEqual([0]));
    expect(await happen(id, "one")).toMatchObject({ is_new: false });
    // Waits for the run before it.
    expect(await happen(id, "two")).toMatchObject({ is_new: true });
    expect(await detail(id)).toMatchObject({ events: { taken: 1, waiting: 1, cut: 0 } });
    expect(await happen(id, "three")).toMatchObject({
      ...{ status_code: 429, code: "event_storm", message: expect.stringContaining("it takes 2 an hour") },
    });
    await eventually(async () => {
      await end();
      expect(await runs(id)).toEqual([0, 1]);
    });
    expect(await happen(id, "four")).toMatchObject({ status_code: 429 });
    expect(await detail(id)).toMatchObject({ events: { taken: 2, waiting: 0, cut: 2 } });
    expect(await happen(id, "five", "stranger")).toMatchObject({ status_code: 404 });
    const timed = await made(gateway(), user, { name: "timed" });
    expect(await happen(timed, "six")).toMatchObject({ status_code: 409, code: "no_webhook" });
  });

  test("a token that may only trigger one campaign does, and nothing else", async () => {
    const [id, other] = [
      await made(gateway(), user, { name: "by token", ...on({ webhook: true }) }),
      await made(gateway(), user, { name: "another", ...on({ webhook: true }) }),
    ];
    const order = { name: "hook", scopes: ["campaigns:trigger"], expires_in_days: 1, campaign_id: id };
    const { token } = (await post("/api/tokens", order)) as { token?: string };
    expect(await happen(id, "one", token)).toMatchObject({ status_code: 200 });
    expect(await happen(other, "one", token)).toMatchObject({ status_code: 403, code: "other_object" });
    expect(await post(`/api/campaigns/${id}/stop`, {}, token)).toMatchObject({ code: "missing_scope" });
  });

  test("a token for one campaign cannot have it wait for another", async () => {
    const [own, other] = [
      await made(gateway(), user, { name: "narrowed" }),
      await made(gateway(), user, { name: "not to be observed" }),
    ];
    const order = { name: "narrow", scopes: ["campaigns:write"], expires_in_days: 1, campaign_id: own };
    const { token } = (await post("/api/tokens", order)) as { token?: string };
    const edit = (definition: object) =>
      gateway().json(token ?? "", `/api/campaigns/${own}`, {
        ...{ method: "PUT", headers: { "content-type": "application/json" } },
        body: JSON.stringify({ ...plainCampaign, name: "narrowed", ...definition }),
      });
    for (const source of [other, "not to be observed", "no campaign", own]) {
      expect(await edit(on({ alert: source }))).toMatchObject({ status_code: 403, code: "other_object" });
    }
    expect(await edit(on({ webhook: true }))).toMatchObject({ status_code: 200 });
  });

  test("an alert of the named detectors, and the end of a campaign, each once", async () => {
    const watched = await made(gateway(), user, { name: "watched" });
    const alerted = await made(gateway(), user, {
      ...{ name: "alerted", ...on({ alert: "watched", detectors: ["route"] }) },
    });
    const stop = new Date(Date.now() + 86_400_000).toISOString();
    const after = await made(gateway(), user, { name: "after", stop, ...on({ ended: watched }) });
    // Its end is not a run.
    expect(await detail(after)).toMatchObject({ next_at: null });
    const { sql } = gateway().services.database;
    for (const detector of ["rtt", "route"]) {
      await sql`
        INSERT INTO alerts (alert_id, campaign_id, agent_id, destination, detector, raised_run, value, reason)
        VALUES (gen_random_uuid(), ${watched}, 'west', '192.0.2.1', ${detector}, 0, 1, 'test')`;
    }
    await eventually(async () => expect(await runs(alerted)).toEqual([0]));
    expect(await detail(alerted)).toMatchObject({ events: { taken: 1, waiting: 0 } });
    expect(await runs(after)).toEqual([]);
    await post(`/api/campaigns/${watched}/stop`, {});
    await eventually(async () => expect(await runs(after)).toEqual([0]));
  });

  test("a circle, an unknown source and a contradiction are refused", async () => {
    const refused = async (path: string, method: string, definition: object, words: string) => {
      const body = JSON.stringify({ ...plainCampaign, ...definition });
      const init = { method, headers: { "content-type": "application/json" }, body };
      expect(await gateway().json(user, path, init)).toMatchObject({
        ...{ status_code: 422, message: expect.stringContaining(words) },
      });
    };
    const first = await made(gateway(), user, { name: "first" });
    await made(gateway(), user, { name: "second", ...on({ ended: "first" }) });
    await made(gateway(), user, { name: "third", ...on({ alert: "second" }) });
    const circle = { name: "first", ...on({ ended: "third" }) };
    await refused(`/api/campaigns/${first}`, "PUT", circle, 'would start the campaign by itself: "third"');
    await refused(
      "/api/campaigns",
      "POST",
      { name: "x", ...on({ alert: "none" }) },
      "names no campaign of yours",
    );
    await refused(
      "/api/campaigns",
      "POST",
      { name: "x", on: { webhook: true } },
      'one of "every", "cron" and "on"',
    );
    await refused("/api/campaigns", "POST", { name: "x", ...on({}) }, '"on" needs one of');
  });
});
