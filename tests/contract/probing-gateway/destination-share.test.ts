/** What agents are told of how fast one destination may be probed: a share of the limit, by who else probes. */
import { expect, test } from "bun:test";
import { unpublished } from "../../../apps/probing-gateway/submit/resume.ts";
import { GatewayHome, probeText } from "./gateway-home.ts";
import { cancel, submitted } from "./measurement-helpers.ts";
import { onBothEngines } from "./on-both-engines.ts";

onBothEngines((gateway) => {
  const sharesOf = async (id: string) => {
    const records = await gateway().records(id);
    const headers = Object.entries(records[0]?.headers ?? {});
    return Object.fromEntries(headers.map(([agent, text]) => [agent, JSON.parse(text).share]));
  };

  test("the limits are told, with what a packet of TCP counts in docs", async () => {
    expect(await gateway().json("teller", "/api/limits")).toMatchObject({
      destination_packets_per_second: { address_by_user: 50, address: 200, network: 1000 },
    });
  });

  // Played by a user who would flood an address from many places, and splits that into measurements.
  test("all agents of a user's measurements share one limit, and it comes back when they end", async () => {
    const alone = await submitted(gateway(), "flood", "west");
    expect((await sharesOf(alone)).west).toMatchObject({
      user_address_rate: 50,
      address_rate: 200,
      network_rate: 1000,
    });
    const second = await sharesOf(await submitted(gateway(), "flood", "east"));
    expect(second.east).toMatchObject({ user_address_rate: 25, address_rate: 100, network_rate: 500 });
    await cancel(gateway(), "flood", alone);
    const third = await sharesOf(await submitted(gateway(), "flood", "east"));
    expect(third.east).toMatchObject({ user_address_rate: 50 });
    expect((await sharesOf(await submitted(gateway(), "other", "west"))).west.user_address_rate).toBe(50);
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
    await sql`UPDATE measurements SET published_at = NULL WHERE measurement_id = ${id}`;
    const [row] = await sql`SELECT share FROM measurements WHERE measurement_id = ${id}`;
    expect(row?.share).toMatchObject({ user_address: 50 });
    const [outgoing] = await unpublished(sql, gatewayId, spoolFolder, [id]);
    expect(outgoing?.measurementId).toBe(id);
    spoolFolder.give(outgoing?.spoolBytes ?? 0);
  });

  test("probes that agents held back are told with the measurement, its agents and its events", async () => {
    const id = await submitted(gateway(), "held", "west,east");
    const { sql } = gateway().services.database;
    await sql`UPDATE measurement_agents SET held_probes = 7 WHERE measurement_id = ${id} AND agent_id = 'west'`;
    const status = await gateway().json("held", `/api/measurements/${id}/status`);
    expect(status).toMatchObject({ total_held_probes: 7, agents: [{ held_probes: 0 }, { held_probes: 7 }] });
  });

  test("0 is without limit: then records say nothing of it", async () => {
    const yaml = "limits: { user_address_rate: 0, address_rate: 0, network_rate: 0 }";
    const { address } = gateway().services.database;
    if (address.startsWith("pglite:")) {
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
