/** `--from`: agents of a gateway that probe instead of this machine. */
import type { Format } from "../../../lib/base/terminal/rows-output.ts";
import { wrongUsage } from "../../../lib/command/command/command-error.ts";
import { agentChoices } from "../../../lib/command/command/gateway/agent-targets.ts";
import {
  type CommonGiven,
  type CommonOptions,
  commonOptions,
} from "../../../lib/command/command/gateway/common-options.ts";
import { labelQuery } from "../../../lib/command/command/gateway/label-options.ts";
import { type ShapeGiven, shapeQuery } from "../../../lib/command/command/gateway/shape-options.ts";
import type { AgentChoice } from "../../../lib/engines/submission/targets.ts";

export interface RemoteOrigin {
  /** Each agent once. */
  readonly agents: readonly AgentChoice[];
  readonly common: CommonOptions;
  /** Name, tags and note of the measurement and the shape of its probes, as the query of a submission has them. */
  readonly query: Readonly<Record<string, string>>;
}

type Labels = Parameters<typeof labelQuery>[0];

interface Given extends CommonGiven, Labels, ShapeGiven {
  readonly from: readonly string[];
  readonly output: Format;
}

/** Null without --from. Throws CommandError. */
export function originOf(given: Given): RemoteOrigin | null {
  if (given.from.length === 0) {
    return null;
  }
  const agents = agentChoices(given.from);
  const names = agents.flatMap((choice) => ("agent" in choice ? [choice.agent] : []));
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) {
    throw wrongUsage(`--from names agent ${twice} twice: its answers would be ambiguous`);
  }
  const query = { ...labelQuery(given), ...shapeQuery(given) };
  return { agents, common: commonOptions(given, "probing", given.output), query };
}
