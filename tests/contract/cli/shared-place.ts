/** One gateway for all tests of a file: it takes seconds to start. What is exported is there once it has started. */
import { StoreProcess } from "../client/store-with-paths.ts";
import { CliPlace, type PlacedAgent } from "./cli-place.ts";

export let place: CliPlace;
export let west: PlacedAgent;
export let east: PlacedAgent;
/** Only of a place with a store. */
export let store: StoreProcess;

/** With two agents: west sends 100 probes/s, east 50. */
export async function startPlace(more: Readonly<Record<string, object>> = {}): Promise<void> {
  place = await CliPlace.start({ limits: { probes_per_day: 300_000 }, ...more });
  west = await place.addAgent("west");
  east = await place.addAgent("east", { src_ipv6_prefix: "2001:db8:7::/48", probing_rate: 50 });
}

export async function startPlaceWithStore(): Promise<void> {
  store = await StoreProcess.start();
  await startPlace({ store: { address: store.address } });
}

export async function stopPlace(): Promise<void> {
  await place?.[Symbol.asyncDispose]();
  await store?.[Symbol.asyncDispose]();
}
