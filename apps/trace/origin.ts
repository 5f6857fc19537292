/** `--from`: which agents of which gateway probe, instead of this machine. */
import { UsageError } from "../../lib/config/command-line.ts";
import { type CommonOptions, type CommonValues, commonOptions } from "../client/gateway/common-options.ts";
import { parseTargets, type Target } from "../client/submit/targets.ts";

/** The result of parseArgs. */
export type Given = Readonly<Record<string, string | boolean | string[] | undefined>>;

export interface RemoteOrigin {
  /** Each agent once. */
  readonly agents: readonly Target[];
  readonly common: CommonOptions;
}

/** Options that only make sense on this machine. */
const localOptions = ["source", "interface", "rate", "interval-ms"];
const gatewayOptions = ["gateway", "profile", "token-stdin"];

/** Null without --from. Throws UsageError. */
export function originOf(given: Given): RemoteOrigin | null {
  const names = Object.keys(given);
  if (!Array.isArray(given.from)) {
    const stray = gatewayOptions.find((name) => names.includes(name));
    if (stray !== undefined) {
      throw new UsageError(`--${stray} is for agents of a gateway: name some with --from`);
    }
    return null;
  }
  const stray = localOptions.find((name) => names.includes(name));
  if (stray !== undefined) {
    const advice =
      stray === "source" ? ": give sources as agent:address" : ", which the agents decide themselves";
    throw new UsageError(`--${stray} does not go with --from${advice}`);
  }
  const agents = parseTargets(given.from.join(","));
  const twice = agents.find(({ agent }, i) => agents.findIndex((other) => other.agent === agent) < i);
  if (twice !== undefined) {
    throw new UsageError(`--from names agent ${twice.agent} twice: its answers would be ambiguous`);
  }
  return { agents, common: commonOptions(given as CommonValues, "probing", "table") };
}
