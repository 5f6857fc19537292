/** The gateways of today on a database of any engine and age. */
import { openDatabase } from "../../lib/engines/store/postgres/open.ts";
import { PeeringHome } from "../contract/peering-gateway/peering-home.ts";
import { GatewayHome } from "../contract/probing-gateway/gateway-home.ts";

/** With the embedded log of a platform, or one of its own. */
export async function onProbing<Result>(
  databaseAddress: string,
  use: (home: GatewayHome) => Promise<Result>,
  brokers?: string,
): Promise<Result> {
  await using home = await GatewayHome.start({
    databaseAddress,
    ...(brokers === undefined ? {} : { brokers }),
  });
  return await use(home);
}

export async function onPeering<Result>(
  address: string,
  use: (home: PeeringHome) => Promise<Result>,
): Promise<Result> {
  await using database = await openDatabase(address, { applicationName: "vantage test" });
  await using home = await PeeringHome.start({ database });
  return await use(home);
}
