/** The rate limit of agents for one destination: a share of the limit, by the number of agents. */
import { expect, test } from "bun:test";
import { CrowdBoard } from "../../../apps/probing/agent/consume/crowd-board.ts";
import { DestinationPace } from "../../../apps/probing/agent/consume/destination-pace.ts";
import { unpackCrowd } from "../../../apps/probing/agent/gateway/crowd-text.ts";
import { ProgressReports } from "../../../apps/probing/gateway/agents/progress.ts";
import { DestinationCrowd } from "../../../apps/probing/gateway/safety/destination-crowd.ts";
import { unpublished } from "../../../apps/probing/gateway/submit/resume.ts";
import { expire } from "../../../apps/probing/gateway/sweep.ts";
import { bucketOf, networkHash } from "../../../lib/measuring/probing/destination-bucket.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { decodeTargetHeader } from "../../../lib/net/wire/target-header.ts";
import { addAgent, GatewayHome, probeText } from "./gateway-home.ts";
import { cancel, eventually, stopped, submitted } from "./measurement-helpers.ts";
import { onBothEngines } from "./on-both-engines.ts";

onBothEngines((gateway) => {
  const sharesOf = async (id: string) => {
    const records = await gateway().records(id);
    const headers = Object.entries(records[0]?.headers ?? {});
    return Object.fromEntries(headers.map(([agent, text]) => [agent, JSON.parse(text).share]));
  };

  test("the limits are shown, with the weight of a TCP packet in docs", async () => {
    expect(await gateway().json("teller", "/api/limits")).toMatchObject({
      destination_packets_per_second: { address_by_user: 50, address: 200, network: 1000 },
    });
  });

  // Played by a user who would flood an address from many places, and splits that into measurements.
  test("a user's limit is shared by that user's agents, and comes back when they end", async () => {
    const alone = await submitted(gateway(), "flood", "west");
    expect((await sharesOf(alone)).west).toMatchObject({
      user_address_rate: 50,
      address_rate: 200,
      network_rate: 1000,
    });
    const second = await sharesOf(await submitted(gateway(), "flood", "east"));
    expect(second.east).toMatchObject({ user_address_rate: 25, address_rate: 200, network_rate: 1000 });
    await cancel(gateway(), "flood", alone);
    const third = await sharesOf(await submitted(gateway(), "flood", "east"));
    expect(third.east).toMatchObject({ user_address_rate: 50 });
    expect((await sharesOf(await submitted(gateway(), "other", "west"))).west.user_address_rate).toBe(50);
  });

  /** The counts that agents get now. */
  const told = async () => {
    const answer = await new DestinationCrowd(gateway().services.database).read();
    return { ...answer, agents: unpackCrowd(answer.agents) };
  };
  const flood = async (user: string, agent: string, target: string) => {
    const options = { type: "text/csv", query: `?agents=${agent}` };
    const response = await gateway().submit(user, `${target},24000,33434,9,udp\n`, options);
    return ((await response.json()) as { id: string }).id;
  };
  const bucketFor = (text: string) => bucketOf(networkHash(address(text)));

  // Played by users who have agreed to flood one address, each from another agent.
  test("an address gets no more by ten users at ten agents than by one", async () => {
    const victim = "2001:db8:fee1::7";
    const agents = Array.from({ length: 10 }, (_, i) => `vantage-${i}`);
    await Promise.all(agents.map((id) => addAgent(gateway(), id)));
    const shares = [];
    for (const [i, agent] of agents.entries()) {
      shares.push((await sharesOf(await flood(`crook-${i}`, agent, victim)))[agent]);
    }
    const { agents: counts, at_ms } = await told();
    expect(counts[bucketFor(victim)]).toBe(10);
    const board = new CrowdBoard();
    board.write(counts, at_ms + 4000);
    let passed = 0;
    for (const share of shares) {
      const read = decodeTargetHeader(JSON.stringify({ src_ip: "", share }));
      const pace = new DestinationPace({ address: 200, network: 1000 }, board);
      const limits = pace.limitsOf(read.ok ? (read.header.share ?? null) : null);
      for (let ms = 0; ms < 13_000; ms++) {
        passed += pace.take(address(victim), 1, limits, ms) === 0 && ms >= 3000 ? 1 : 0;
      }
    }
    expect(passed / 10).toBeLessThanOrEqual(201);
    expect(passed / 10).toBeGreaterThan(150);
  });

  test("an agent counts at a destination until it is known to send no more there", async () => {
    const target = "2001:db8:fee2::7";
    const at = async () => (await told()).agents[bucketFor(target)];
    expect(await at()).toBe(0);
    const ids = [await flood("first", "west", target), await flood("second", "west", target)];
    expect(await at()).toBe(1);
    ids.push(await flood("third", "east", target));
    expect(await at()).toBe(2);
    await cancel(gateway(), "third", ids[2] ?? "");
    expect(await at()).toBe(2);
    await stopped(gateway(), [ids[2] ?? ""], "east");
    expect(await at()).toBe(1);
    const { database } = gateway().services;
    const complete = {
      received_replies: 0,
      failed_probes: 0,
      error: null,
      held_probes: 0,
      is_stopped: false,
    };
    const done = ids
      .slice(0, 2)
      .map((measurement_id) => ({ measurement_id, sent_probes: 1, is_complete: true }));
    await new ProgressReports(database).take(
      "west",
      done.map((report) => ({ ...report, ...complete })).slice(0, 1),
    );
    expect(await at()).toBe(1);
    await new ProgressReports(database).take(
      "west",
      done.map((report) => ({ ...report, ...complete })),
    );
    expect(await at()).toBe(0);
  });

  test("one look after another counts as a new one", async () => {
    const { database } = gateway().services;
    let nowMs = 0;
    const crowd = new DestinationCrowd(database, () => nowMs);
    for (let i = 0; i < 4; i++) {
      const id = await flood(`u${i}`, i % 2 === 0 ? "west" : "east", `2001:db8:fee${i}::1`);
      nowMs += 1001;
      expect(await crowd.read()).toMatchObject({
        version: (await new DestinationCrowd(database).read()).version,
      });
      await (i === 1 ? stopped(gateway(), [id], "east") : cancel(gateway(), `u${i}`, id));
    }
    nowMs += 1001;
    expect((await crowd.read()).agents).toBe((await new DestinationCrowd(database).read()).agents);
  });

  test("until its agents have the counts, a measurement has the number of agents that were there with it", async () => {
    const target = "2001:db8:fee3::7";
    await flood("before", "west", target);
    await eventually(async () => {
      const share = (await sharesOf(await flood("joins", "east", target))).east;
      expect([2, 3]).toContain(share.agents);
      expect(share.known_at_ms - Date.now()).toBeGreaterThan(1000);
    });
  });

  test("a measurement of before, whose destinations nobody knows, counts everywhere", async () => {
    const id = await flood("old", "west", "2001:db8:fee4::7");
    await gateway().services.database
      .sql`UPDATE measurements SET destinations = NULL WHERE measurement_id = ${id}`;
    const { agents } = await told();
    expect(Math.min(...agents)).toBeGreaterThanOrEqual(1);
    await cancel(gateway(), "old", id);
    await stopped(gateway(), [id], "west");
  });

  test("probes that have to wait for their destination have the time for it", async () => {
    const lifeOf = async (lines: string) => {
      const options = { type: "text/csv", query: "?agents=west" };
      const { id } = (await (await gateway().submit("patient", lines, options)).json()) as { id: string };
      const [row] = await gateway().services.database.sql<{ seconds: number }[]>`
        SELECT extract(epoch FROM not_after - started_at)::float AS seconds FROM measurements
        WHERE measurement_id = ${id}`;
      return row?.seconds ?? 0;
    };
    const lines = (protocol: string, addressOf: (i: number) => string) =>
      Array.from({ length: 1000 }, (_, i) => `${addressOf(i)},24000,33434,9,${protocol}\n`).join("");
    const spread = await lifeOf(lines("udp", (i) => `2001:db8:${(i + 4096).toString(16)}::1`));
    expect(spread).toBeCloseTo(600 + 2 * 10, -1);
    expect(await lifeOf(lines("udp", () => "2001:db8:1::1"))).toBeCloseTo(600 + (2 * 1000) / 50, -1);
    expect(await lifeOf(lines("tcp", () => "2001:db8:2::1"))).toBeCloseTo(600 + (2 * 10 * 1000) / 50, -1);
    expect(await lifeOf(lines("tcp", (i) => `2001:db8:3::${i}`))).toBeCloseTo(
      600 + (2 * 10 * 1000) / 1000,
      -1,
    );
  });

  test("one whose time is over says when its destinations had enough", async () => {
    const id = await submitted(gateway(), "late", "west,east");
    const { database } = gateway().services;
    await database.sql`
      UPDATE measurement_agents SET held_probes = 7 WHERE measurement_id = ${id} AND agent_id = 'west'`;
    await database.sql`UPDATE measurements SET not_after = now() - interval '1 s' WHERE measurement_id = ${id}`;
    await expire(database);
    // The gateway's own sweep may have it in hand at this moment.
    await eventually(async () => {
      const { agents } = await gateway().json("late", `/api/measurements/${id}/status`);
      expect((agents as { error: string }[]).map(({ error }) => error)).toEqual([
        "Not finished in time",
        "Not finished in time: 7 probes waited for destinations that had enough",
      ]);
    });
  });

  test("one that waits for its agent's host says so, and so it does when its time is over", async () => {
    const id = await submitted(gateway(), "hosted", "west,east");
    const { database, agents } = gateway().services;
    const reasons = async (name: "error" | "held_by_host") => {
      const status = await gateway().json("hosted", `/api/measurements/${id}/status`);
      return (status.agents as Record<string, string | null>[]).map((part) => part[name]);
    };
    const hold = async (text: string | null) => {
      await database.sql`
        UPDATE agents SET health_details = health_details || jsonb_build_object('held_by_host', ${text}::text)
        WHERE agent_id = 'west'`;
      agents.changed();
    };
    await hold("paused by its host");
    expect(await reasons("held_by_host")).toEqual([null, "paused by its host"]);
    const refused = await gateway().submit("hosted", "2001:db8::7,24000,33434,9,udp\n", {
      type: "text/csv",
      query: "?agents=west",
    });
    expect(await refused.text()).toContain('"reason":"the agent is paused by its host"');
    expect(await (await gateway().ask(null, "/api/agents")).text()).toContain(
      '"held_by_host":"paused by its host"',
    );
    await database.sql`UPDATE measurements SET not_after = now() - interval '1 s' WHERE measurement_id = ${id}`;
    await expire(database);
    await eventually(async () =>
      expect(await reasons("error")).toEqual([
        "Not finished in time",
        "Not finished in time: the agent is paused by its host",
      ]),
    );
    expect(await reasons("held_by_host")).toEqual([null, null]);
    await hold(null);
  });

  test("an agent can tell measurements of one user from others, and agents cannot compare", async () => {
    const [first, second] = [
      await sharesOf(await submitted(gateway(), "named", "west,east")),
      await sharesOf(await submitted(gateway(), "named", "west")),
    ];
    const other = await sharesOf(await submitted(gateway(), "another", "west"));
    expect(first.west.user).toBe(second.west.user);
    expect(new Set([first.west.user, first.east.user, other.west.user]).size).toBe(3);
  });

  test("a gateway that goes on after a kill tells the same", async () => {
    const id = await submitted(gateway(), "resumed", "west");
    const { sql } = gateway().services.database;
    const { gatewayId, spoolFolder } = gateway().services;
    // What is published is noted a moment after the answer.
    await eventually(async () => {
      const noted =
        await sql`SELECT FROM measurements WHERE measurement_id = ${id} AND published_at IS NOT NULL`;
      expect(noted).toHaveLength(1);
    });
    await sql`UPDATE measurements SET published_at = NULL WHERE measurement_id = ${id}`;
    const [row] = await sql`SELECT share FROM measurements WHERE measurement_id = ${id}`;
    expect(row?.share).toMatchObject({ user_address: 50 });
    const [outgoing] = await unpublished(sql, gatewayId, spoolFolder, [id]);
    expect(outgoing?.measurementId).toBe(id);
    spoolFolder.give(outgoing?.spoolBytes ?? 0);
  });

  test("probes that agents held back are shown with the measurement, its agents and its events", async () => {
    const id = await submitted(gateway(), "held", "west,east");
    const { sql } = gateway().services.database;
    await sql`UPDATE measurement_agents SET held_probes = 7 WHERE measurement_id = ${id} AND agent_id = 'west'`;
    const status = await gateway().json("held", `/api/measurements/${id}/status`);
    expect(status).toMatchObject({ total_held_probes: 7, agents: [{ held_probes: 0 }, { held_probes: 7 }] });
  });

  test("0 is without limit: then records say nothing of it", async () => {
    const yaml = "limits: { user_address_rate: 0, address_rate: 0, network_rate: 0 }";
    if (gateway().services.database.address.startsWith("pglite:")) {
      return;
    }
    const databaseAddress = gateway().services.config.database.address;
    await using free = await GatewayHome.start({ databaseAddress, yaml });
    const options = { type: "text/csv", query: "?agents=west" };
    const response = await free.submit("free", probeText(1), options);
    const { id } = (await response.json()) as { id: string };
    const [record] = await free.records(id);
    expect(JSON.parse(record?.headers.west ?? "{}").share).toBeUndefined();
  });
});
