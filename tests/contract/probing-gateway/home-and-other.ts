/** A gateway with an agent, and connections of somebody else to its database: for locks that are held meanwhile. */
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { sharedPostgres } from "../../postgres/shared-postgres.ts";
import { addAgent, GatewayHome } from "./gateway-home.ts";

interface HomeAndOther {
  readonly home: GatewayHome;
  /** Two connections and more. */
  readonly other: Database;
}

/** Disposed of with `owned`. */
export async function homeAndOther(owned: AsyncDisposableStack): Promise<HomeAndOther> {
  const postgres = owned.use(await sharedPostgres());
  const databaseAddress = await postgres.createDatabase();
  const home = owned.use(await GatewayHome.start({ databaseAddress }));
  const other = owned.use(await openDatabase(databaseAddress, { applicationName: "test" }));
  await addAgent(home, "west");
  return { home, other };
}
