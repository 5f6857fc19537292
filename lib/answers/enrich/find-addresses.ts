/** A host name's addresses by DNS, never by the machine's own hosts file. */
import { Resolver } from "node:dns/promises";

/** A name server that is slower makes the name unknown. */
const lookupMs = 2000;

/** IPv6 first. `servers` empty = the system's name servers; an empty result = no name server has any. */
export async function findAddresses(name: string, servers: readonly string[]): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: lookupMs, tries: 1 });
  if (servers.length > 0) {
    resolver.setServers([...servers]);
  }
  const answers = await Promise.allSettled([resolver.resolve6(name), resolver.resolve4(name)]);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}
