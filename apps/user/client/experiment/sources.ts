/** Sources of an experiment's probes: addresses in the announced prefix, as only replies to these show its routes. */
import * as v from "valibot";
import { userPrefixesAnswer } from "../../../../lib/base/api/users.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { formatAddress } from "../../../../lib/net/ip/address.ts";
import { type Prefix, parsePrefix, prefixContains } from "../../../../lib/net/ip/prefix.ts";

const answer = v.pick(userPrefixesAnswer, ["agents"]);

/**
 * Agents in the form of measurements. An agent without a source probes from the user's first host address there in the
 * prefix: `west` becomes `west:[2001:db8:51:c95b:3f80::1]`. Throws CommandError where there is none.
 */
export async function agentsWithin(
  gateway: Gateway,
  prefix: string,
  agents: readonly string[],
): Promise<string[]> {
  if (agents.every((agent) => agent.includes(":"))) {
    return [...agents];
  }
  const announced = parsePrefix(prefix);
  const { agents: known } = await gateway.read("/api/user/prefixes", answer);
  return agents.map((agent) => {
    if (agent.includes(":")) {
      return agent;
    }
    const own = known
      .filter(({ agent_id: id }) => id === agent)
      .flatMap(({ prefixes }) => prefixes.map(({ user_prefix: text }) => parsePrefix(text)))
      .find((one) => one !== null && announced !== null && prefixContains(announced, one.base));
    if (own === null || own === undefined) {
      throw cannot(
        `agent ${agent.slice(0, 50)} gives you no address in ${prefix}: its src_ipv6_prefix must lie there; ` +
          "vantage whoami shows what you have",
      );
    }
    return `${agent}:[${formatAddress(firstHost(own))}]`;
  });
}

function firstHost({ base }: Prefix) {
  const bytes = Uint8Array.from(base);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 1;
  return bytes;
}
