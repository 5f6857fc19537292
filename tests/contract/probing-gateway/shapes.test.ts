/** The shape of a measurement's probes: what is taken, what agents get, and who cannot send it. */
import { describe, expect, test } from "bun:test";
import { decodeTargetHeader } from "../../../lib/net/wire/target-header.ts";
import { come, endAll, made, measured, pass, plainCampaign } from "./campaign-time.ts";
import { insertAgent, probeText } from "./gateway-home.ts";
import { cancel, eventually } from "./measurement-helpers.ts";
import { onBothEngines } from "./on-both-engines.ts";

const given = "&size=1400&df=true&dscp=EF&ecn=ect0&flow_label=74565";
const shape = { sizeBytes: 1400, dontFragment: true, trafficClass: 0xba, flowLabel: 74_565 };
const answered = { size_bytes: 1400, dont_fragment: true, traffic_class: 0xba, flow_label: 74_565 };

onBothEngines((gateway) => {
  const submit = (query: string, body = probeText(3)) =>
    gateway().submit("shaped", body, { type: "text/csv", query: `?agents=west${query}` });
  const shapesOf = async (id: string) =>
    (await gateway().records(id)).map(({ headers }) => {
      const read = decodeTargetHeader(headers.west ?? "");
      return read.ok ? (read.header.shape ?? null) : read.reason;
    });

  test("every record says it, those that are added later too; without one nothing does", async () => {
    const answer = await submit(`${given}&open=true`);
    const { id, shape: own } = (await answer.json()) as { id: string; shape: unknown };
    expect([answer.status, own]).toEqual([200, answered]);
    const headers = { "content-type": "text/csv" };
    const added = { method: "POST", headers, body: probeText(2) };
    await gateway().json("shaped", `/api/measurements/${id}/probes`, added);
    expect(await shapesOf(id)).toEqual([shape, shape]);
    await gateway().json("shaped", `/api/measurements/${id}/probes?size=600`, added);
    expect(await shapesOf(id)).toEqual([shape, shape, { ...shape, sizeBytes: 600 }]);
    await cancel(gateway(), "shaped", id);
    const plain = (await (await submit("")).json()) as { id: string; shape?: unknown };
    expect(plain.shape).toBeUndefined();
    expect(await shapesOf(plain.id)).toEqual([null]);
  });

  test.each([
    "&size=100",
    "&size=70000",
    "&size=many",
    "&df=perhaps",
    "&dscp=64",
    "&dscp=AF99",
    "&ecn=both",
    "&flow_label=0",
    "&flow_label=1048576",
  ])("%s is refused", async (query) => {
    const answer = await submit(query);
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: "invalid_query" }]);
  });

  test("a SYN has no size", async () => {
    const answer = await submit("&size=1400", "192.0.2.1,24000,80,7,tcp\n");
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: "invalid_probe" }]);
  });

  test("a size that is added later is refused by agents that do not send it, and by a SYN", async () => {
    const { sql } = gateway().services.database;
    await insertAgent(sql, "before", { sendsShapes: false });
    const csv = { type: "text/csv", query: "?agents=before&open=true" };
    const { id } = (await (await gateway().submit("shaped", probeText(1), csv)).json()) as { id: string };
    const add = (body: string) => {
      const order = { method: "POST", headers: { "content-type": "text/csv" }, body };
      return gateway().ask("shaped", `/api/measurements/${id}/probes?size=600`, order);
    };
    const refused = await add(probeText(1));
    expect([refused.status, await refused.json()]).toMatchObject([400, { code: "cannot_send" }]);
    expect((await add(probeText(1).replaceAll("udp", "tcp"))).status).toBe(400);
    await cancel(gateway(), "shaped", id);
  });

  test("agents that do not send it are named, and others take part", async () => {
    await insertAgent(gateway().services.database.sql, "earlier", { sendsShapes: false });
    const reason =
      "its program sends no probes with a size, marks or a flow label: upgrade it, or use another agent";
    const both = await gateway().submit("shaped", probeText(1), {
      type: "text/csv",
      query: `?agents=west,earlier${given}`,
    });
    expect(await both.json()).toMatchObject({
      agents: [{ id: "west" }],
      rejected: [{ id: "earlier", reason }],
    });
    const alone = await gateway().submit("shaped", probeText(1), {
      type: "text/csv",
      query: "?agents=earlier&dscp=0",
    });
    expect([alone.status, await alone.json()]).toMatchObject([400, { code: "cannot_send" }]);
    const plain = await gateway().submit("shaped", probeText(1), {
      type: "text/csv",
      query: "?agents=earlier",
    });
    expect(plain.status).toBe(200);
  });

  test("name servers are asked by agents that may; others are named with the reason, and who can allow it", async () => {
    const { sql } = gateway().services.database;
    await insertAgent(sql, "asking", { allowsDns: true });
    await insertAgent(sql, "mute", { allowsDns: false });
    const query = "192.0.2.53,24000,53,30,udp\n";
    const ask = (body: string, more = "") =>
      gateway().submit("shaped", body, {
        type: "text/csv",
        query: `?agents=asking,mute,west&dns=nsid${more}`,
      });
    const answer = (await (await ask(query)).json()) as { id: string };
    const allowed =
      "its operator does not allow DNS probes (agent.dns_probes in the agent's configuration): use another agent";
    const known = "its program sends no DNS probes: upgrade it, or use another agent";
    expect(answer).toMatchObject({
      shape: { dns: "nsid" },
      agents: [{ id: "asking" }],
      rejected: [
        { id: "mute", reason: allowed },
        { id: "west", reason: known },
      ],
    });
    const [record] = await gateway().records(answer.id);
    expect(decodeTargetHeader(record?.headers.asking ?? "")).toMatchObject({
      header: { shape: { dns: "nsid" } },
    });
    for (const [body, more] of [
      ["192.0.2.53,24000,54,30,udp\n", ""],
      [`${query}192.0.2.53,24000,53,30,tcp\n`, ""],
      ["192.0.2.53,24000,53,30,icmp\n", ""],
      [query, "&size=1400"],
    ] as const) {
      const refused = await ask(body, more);
      expect([refused.status, await refused.json()]).toMatchObject([400, { code: "invalid_probe" }]);
    }
    expect((await submit("&dns=version.bind")).status).toBe(400);
  });

  describe("campaigns", () => {
    const fields = { size: 1400, df: true, dscp: "EF", ecn: "ect0", flow_label: 74_565 };
    const post = (user: string, path: string, body: unknown, method = "POST") =>
      gateway().json(user, path, {
        method,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });

    test.each([0, "5m"])(
      "spread over %s: each run has the shape, and names who cannot send it",
      async (spread) => {
        const { sql } = gateway().services.database;
        await insertAgent(sql, "old", { sendsShapes: false });
        const user = `repeater ${spread}`;
        const definition = { ...fields, agents: "west,old", spread };
        const id = await made(gateway(), user, definition);
        for (const run of [0, 1]) {
          if (spread !== 0) {
            await eventually(async () => {
              const moved = await sql`
                UPDATE campaign_steps SET due_at = now(), latest_at = now() + interval '1 h'
                WHERE campaign_id = ${id} AND run = ${run} AND step > 0 AND state = 'due'`;
              expect(moved.count).toBe(1);
            });
            gateway().services.campaigns.wake();
          }
          const measurement = await measured(gateway(), user, id, run);
          await eventually(async () => expect(await shapesOf(measurement)).toEqual([shape]));
          await endAll(gateway());
          const runs = await come(gateway(), user, id, ["0 done", "1 done"].slice(0, run + 1));
          expect(runs[run]?.reason).toMatch(/^old: its program sends no probes with a size.* upgrade it/);
          if (run === 0) {
            // As it is shown, it may be written back.
            const shown = await gateway().json(user, `/api/campaigns/${id}`);
            expect(shown.definition).toMatchObject(fields);
            const edited = { ...(shown.definition as object), probes: probeText(2) };
            expect(await post(user, `/api/campaigns/${id}`, edited, "PUT")).toMatchObject({
              status_code: 200,
            });
            await pass(gateway(), 0, id);
          }
        }
        await post(user, `/api/campaigns/${id}/stop`, {});
        const alone = await made(gateway(), user, { ...definition, agents: "old", name: "alone" });
        const [refused] = await come(gateway(), user, alone, ["0 refused"]);
        expect(refused?.reason).toContain(
          "Agent 'old' cannot send these probes: its program sends no probes",
        );
      },
    );

    test("queries of name servers, too", async () => {
      await insertAgent(gateway().services.database.sql, "asker", { allowsDns: true });
      const query = { targets: "192.0.2.53", dst_port: 53, ttl: 30, dns: "id.server", agents: "asker" };
      const id = await made(gateway(), "asking", { ...query, probes: undefined });
      const measurement = await measured(gateway(), "asking", id, 0);
      await eventually(async () => {
        const [{ headers } = { headers: {} }] = await gateway().records(measurement);
        const read = decodeTargetHeader((headers as Record<string, string>).asker ?? "");
        expect(read.ok && read.header.shape).toEqual({ dns: "id.server" });
      });
      await post("asking", `/api/campaigns/${id}/stop`, {});
    });

    test.each([
      [{ size: 100 }, "size", "314"],
      [{ size: "large" }, "size", ""],
      [{ df: "perhaps" }, "df", "true or false"],
      [{ dscp: "AF99" }, "dscp", "a number from 0 to 63, or a name"],
      [{ dscp: 64 }, "dscp", "a number from 0 to 63, or a name"],
      [{ ecn: "both" }, "ecn", "must be one of"],
      [{ flow_label: 0 }, "flow_label", "1"],
      [{ dns: "version.bind" }, "dns", "must be one of"],
      [{ dns: "nsid" }, "dns", "port 53"],
      [{ size: 1400, probes: "192.0.2.1,24000,80,7,tcp" }, "size", "a TCP SYN carries no data"],
      [{ size: 1400, dns: "nsid" }, "", "cannot be combined"],
      [
        { dscp: "EF", probes: undefined, targets: "192.0.2.0/24", discover: {} },
        "",
        '"discover" cannot be combined',
      ],
    ])("%j is refused with the place and the reason", async (given, path, reason) => {
      const answer = await post("careless", "/api/campaigns", { ...plainCampaign, ...given });
      expect(answer).toMatchObject({ status_code: 422, fields: [{ path }] });
      expect(JSON.stringify(answer.fields)).toContain(JSON.stringify(reason).slice(1, -1));
    });
  });
});
