/** Agents that a user chooses by tag, place, AS and number: who takes part, what is said of it, and what is refused. */
import { beforeAll, describe, expect, test } from "bun:test";
import { selectorsMax } from "../../../apps/probing/gateway/limits.ts";
import { admin, call } from "../probing-gateway-agents/callers.ts";
import { addAgent, probeArrays, probeText } from "./gateway-home.ts";
import { onBothEngines } from "./on-both-engines.ts";

interface Answer {
  readonly status: number;
  readonly agents: readonly string[];
  readonly body: Record<string, unknown>;
}

onBothEngines((gateway) => {
  const describeAgent = (id: string, body: object) =>
    admin(gateway(), `/agents/${id}`, { method: "PATCH", body });

  beforeAll(async () => {
    await addAgent(gateway(), "north");
    await describeAgent("west", {
      tags: ["eu", "fast"],
      asn: 64_500,
      country: "NO",
      location: "Oslo, rack 4",
    });
    await describeAgent("east", { tags: ["eu"], asn: 64_501, country: "DE", location: "Berlin" });
    await describeAgent("north", { tags: ["us"], asn: 64_500, country: "US" });
    await describeAgent("gone", { tags: ["eu", "away"], country: "FR" });
    await describeAgent("held", { tags: ["eu", "away"] });
  });

  const answered = async (response: Response): Promise<Answer> => {
    const body = (await response.json()) as Record<string, unknown>;
    const agents = (body.agents ?? []) as { id: string }[];
    return { status: response.status, body, agents: agents.map(({ id }) => id) };
  };
  /** By the query of probe lines. */
  const lines = async (agents: string, headers: Record<string, string> = {}) => {
    const query = `?agents=${encodeURIComponent(agents)}`;
    return answered(await gateway().submit("ann", probeText(1), { type: "text/csv", query, headers }));
  };
  /** By the metadata of JSON. */
  const metadata = async (...targets: object[]) =>
    answered(await gateway().submit("ann", { metadata: targets, probes: probeArrays(1) }));

  describe("those that match and can take part are chosen", () => {
    test.each([
      ["tag:eu", ["east", "west"]],
      ["tag:FAST", ["west"]],
      ["as:64500", ["north", "west"]],
      ["country:de", ["east"]],
      ["place:rack", ["west"]],
      ["2@tag:eu", ["east", "west"]],
      ["4@any", ["east", "north", "silent", "west"]],
      ["west,tag:eu", ["west", "east"]],
      ["tag:eu,as:64500", ["east", "west", "north"]],
      ["1@tag:us,east", ["north", "east"]],
      ["west:192.0.2.7,tag:fast,country:US", ["west", "north"]],
    ])("%s", async (text, ids) => {
      const { status, agents, body } = await lines(text);
      expect({ status, agents }).toEqual({ status: 200, agents: ids });
      expect(body.rejected).toEqual([]);
    });
  });

  test("the answer says who was chosen for what, of how many, and the measurement has them", async () => {
    const { body } = await metadata({ id: "tag:eu" }, { id: "1@as:64500" });
    expect(body).toMatchObject({
      probes: 3,
      selections: [
        { selector: "tag:eu", agents: ["east", "west"], matching: 4 },
        { selector: "1@as:64500", agents: ["north"], matching: 2 },
      ],
    });
    const status = await gateway().json("ann", `/api/measurements/${body.id}/status`);
    const parts = status.agents as { agent_id: string }[];
    expect(parts.map(({ agent_id }) => agent_id).sort()).toEqual(["east", "north", "west"]);
  });

  test("an answer without selectors has no member of them", async () => {
    const { body } = await metadata({ id: "west", ip_address: "192.0.2.7" });
    expect(Object.keys(body).sort()).toEqual([
      "agents",
      "id",
      "measurement_id",
      "probes",
      "rejected",
      "request_id",
    ]);
  });

  test("a number is of others than those who are named, and by chance all come up", async () => {
    const seen = new Set<string>();
    for (let i = 0; i < 40 && seen.size < 3; i++) {
      const { agents } = await lines("west,1@any");
      expect(agents).toHaveLength(2);
      seen.add(agents[1] ?? "");
    }
    expect([...seen].sort()).toEqual(["east", "north", "silent"]);
  });

  test("a repeated submission is of the agents that were chosen first", async () => {
    const headers = { "idempotency-key": "once" };
    const first = await lines("1@any", headers);
    for (let i = 0; i < 8; i++) {
      expect((await lines("1@any", headers)).body).toEqual(first.body);
    }
  });

  describe("what cannot be met is refused with what would match", () => {
    const none = "Cannot choose agents by";
    test.each([
      ["tag:euu", `${none} tag:euu: no agent matches it; tags that agents have: eu, away, fast, us`],
      ["as:1", `${none} as:1: no agent matches it; AS numbers that agents have: 64500, 64501`],
      ["country:JP", `${none} country:JP: no agent matches it; countries that agents have: DE, FR, NO, US`],
      [
        "tag:away",
        `${none} tag:away: no agent that matches it can take part now: gone (the agent is offline), ` +
          "held (the agent is paused by its operator)",
      ],
      [
        "3@tag:eu",
        `${none} 3@tag:eu: it requests 3 agents, and 2 of 4 that match can take part now: east, west`,
      ],
      [
        "west,1@tag:fast",
        `${none} 1@tag:fast: it requests 1 agent, and no other of 1 that match can take part now`,
      ],
    ])("%s", async (text, message) => {
      const { status, body } = await lines(text);
      expect({ status, code: body.code, message: body.message }).toEqual({
        status: 400,
        code: "selector_unmet",
        message,
      });
    });

    test("and so many that holding them against all agents would keep others waiting", async () => {
      const some = (count: number) => metadata(...Array<object>(count).fill({ id: "tag:eu" }));
      const { status, body } = await some(selectorsMax + 1);
      expect([status, body]).toMatchObject([422, { code: "too_many_targets" }]);
      expect((await some(selectorsMax)).status).toBe(200);
    });

    test("and a wrong one with what would be right", async () => {
      expect((await lines("as:x")).body).toMatchObject({
        code: "invalid_query",
        message: '"as:x" is not an AS number: write as:64500',
      });
      expect((await metadata({ id: "0@any" })).body).toMatchObject({
        code: "invalid_target",
        message: '"0@any" selects 0 agents: choose 1 to 1000',
      });
      expect((await metadata({ id: "tag:eu", ip_address: "192.0.2.7" })).body).toMatchObject({
        code: "invalid_target",
        message: '"tag:eu" takes no source: each agent that it chooses has its own',
      });
    });
  });

  test("an agent whose program cannot send the probes is passed over, and named when there is no other", async () => {
    await addAgent(gateway(), "older", { isExisting: true });
    await describeAgent("older", { tags: ["mixed", "old"] });
    await addAgent(gateway(), "newer");
    await describeAgent("newer", { tags: ["mixed"] });
    expect((await lines("tag:mixed")).agents).toEqual(["newer"]);
    expect((await lines("1@tag:mixed")).agents).toEqual(["newer"]);
    const { status, body } = await lines("tag:old");
    expect({ status, code: body.code }).toEqual({ status: 400, code: "selector_unmet" });
    expect(body.message).toContain("older (its program chooses no source itself");
    const { sql } = gateway().services.database;
    await sql`UPDATE agents SET retired_at = now() WHERE agent_id IN ('older', 'newer')`;
  });

  test("tags, country and AS are public, and an admin's change of them is in the audit", async () => {
    const listed = (await (await gateway().ask(null, "/api/agents")).json()) as { id: string }[];
    expect(listed.find(({ id }) => id === "east")).toMatchObject({
      tags: ["eu"],
      country: "DE",
      asn: 64_501,
    });
    const { body } = await admin(gateway(), "/audit?subject=agent:east");
    expect(body).toMatchObject([{ action: "agent.change", details: { country: "DE", tags: ["eu"] } }]);
  });

  test.each([
    { tags: ["two words"] },
    { tags: ["a,b"] },
    { tags: ["192.0.2.1"] },
    { country: "de" },
    { country: "Germany" },
  ])("%j cannot be chosen by, so it cannot be set", async (body) => {
    expect((await describeAgent("east", body)).status).toBe(422);
  });

  test("an enrolment key gives its place and tags to agents that enrol with it, the first time", async () => {
    const place = { tags: ["rack"], country: "SE", asn: 64_502, location: "Lund" };
    const enrol = async (given: object) => {
      const made = await admin(gateway(), "/enrolment-keys", { body: { label: "rack", ...given } });
      expect(made.body).toMatchObject(given);
      const body = { id: "racked", secret: "s" };
      await call(gateway(), String(made.body.enrolment_key), "/agent-api/agent/register", { body });
      return (await admin(gateway(), "/agents/racked")).body;
    };
    expect(await enrol(place)).toMatchObject(place);
    expect(await enrol({ tags: ["other"], country: "FI" })).toMatchObject(place);
  });
});
