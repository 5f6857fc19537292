/** The shape of a measurement's probes: what is taken, what agents get, and who cannot send it. */
import { expect, test } from "bun:test";
import { decodeTargetHeader } from "../../../lib/net/wire/target-header.ts";
import { insertAgent, probeText } from "./gateway-home.ts";
import { cancel } from "./measurement-helpers.ts";
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
});
