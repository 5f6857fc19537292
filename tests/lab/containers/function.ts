/**
 * Whether it works, asked as those ask who use it: not whether containers are healthy. Each rejects with what does not.
 */
import { until } from "../../exchange/until.ts";
import { LabError } from "../namespaces.ts";
import { type Client, inClient, status } from "./client-story.ts";
import type { Place } from "./place.ts";
import { target } from "./plan.ts";

const functionMsMax = 420_000;

/** A session, and packets from far away to the /48 and back. */
export function clientWorks(place: Place, { name, address }: Client): Promise<unknown> {
  return until(
    "a session, and an answer from the /48",
    async () => {
      const { exchanges } = await status(place, name);
      return exchanges.some(({ is_up: isUp }) => isUp) && (await place.isReached(address));
    },
    functionMsMax,
  );
}

/** A new lease becomes a route at the upstream, and ends as one: gateway, generator, BIRD, and the client. */
export async function exchangeWorks(place: Place, client: Client): Promise<void> {
  await clientWorks(place, client);
  const said = await until("a lease", () => requestLease(place, client), functionMsMax);
  const { prefix } = JSON.parse(said) as { prefix: string };
  await until(`the route of ${prefix}`, () => place.upstream.hears(prefix), functionMsMax);
  await inClient(place, ["peering", "prefix", "release", prefix]);
  await until(`the end of ${prefix}`, async () => !(await place.upstream.hears(prefix)), functionMsMax);
}

/** Rejects when there is none; a request whose answer was lost may have left one, which then is released. */
async function requestLease(place: Place, { address }: Client): Promise<string> {
  try {
    return await inClient(place, ["peering", "prefix", "request", "1", "-o", "json"]);
  } catch (error) {
    const held = JSON.parse(await inClient(place, ["peering", "prefix", "list", "-o", "json"])) as Lease[];
    for (const { prefix } of held.filter((one) => !address.startsWith(one.prefix.replace(/:\/48$/, "")))) {
      await inClient(place, ["peering", "prefix", "release", prefix]);
    }
    throw error;
  }
}

interface Lease {
  readonly prefix: string;
}

/** A measurement through the agent, and a user's leases: gateways, broker, store, database, identity provider. */
export function platformWorks(place: Place): Promise<unknown> {
  return until(
    "a measurement, leases, the VPN's server, metrics",
    async () => {
      await measure(place);
      await inClient(place, ["peering", "prefix", "list"]);
      const answers = [
        "https://vpn.example.net/health",
        "https://login.example.net/realms/vantage/.well-known/openid-configuration",
        "http://127.0.0.1:9090/-/ready",
        "http://127.0.0.1:9093/-/ready",
        "http://127.0.0.1:8096/health",
      ];
      const curl = ["curl", "-fsS", "--max-time", "5", "--cacert", "try.crt", "-o", "/dev/null"];
      for (const url of answers) {
        await place.at("platform", [...curl, url]);
      }
      return true;
    },
    functionMsMax,
  );
}

/** Pings a far address from the agent; resolves to what the command printed. Rejects where nothing was answered. */
export async function measure(place: Place): Promise<string> {
  const printed = await inClient(place, ["ping", "--from", "west", "-c", "3", target]);
  if (!/\b3 answered\b/.test(printed)) {
    throw new LabError(`No answers: ${printed}`);
  }
  return printed;
}
