/** An answer of the database without its row stops probing; it never stands for "not stopped" or "nobody measures". */
import { expect, test } from "bun:test";
import { DestinationCrowd } from "../../../apps/probing/gateway/safety/destination-crowd.ts";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import { addAgent, probeText } from "./gateway-home.ts";
import { onBothEngines } from "./on-both-engines.ts";

onBothEngines((gateway) => {
  test("without the platform's row nothing is submitted", async () => {
    await addAgent(gateway(), "west");
    const { database } = gateway().services;
    await database.sql`DELETE FROM platform`;
    const refused = await gateway().submit("user", probeText(1), { type: "text/csv", query: "?agents=west" });
    expect(refused.status).toBe(500);
    await database.sql`INSERT INTO platform DEFAULT VALUES`;
    const taken = await gateway().submit("user", probeText(1), { type: "text/csv", query: "?agents=west" });
    expect(taken.status).toBeLessThan(300);
  });

  test("a crowd that was not read is an error, not an empty place", async () => {
    const silent: Database = { ...gateway().services.database, timed: async () => [] as never };
    const crowd = new DestinationCrowd(silent);
    expect(await crowd.read().catch(String)).toContain("it has no row");
  });
});
