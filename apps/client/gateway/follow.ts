/** `vantage follow`: a measurement as it goes. */
import type { OptionValues } from "../../../lib/config/command-line.ts";
import { numberOf } from "../../../lib/config/option-values.ts";
import { rowsMax } from "../limits.ts";
import { gatewayCommand } from "./command.ts";
import { type FollowOrder, followMeasurement } from "./follow-measurement.ts";
import { measurementId } from "./measurement-id.ts";
import { timeoutOf } from "./timeout.ts";

const table = {
  count: { type: "string", value: "N", meaning: "no more than so many replies" },
  timeout: { type: "string", value: "TIME", meaning: "no longer than this: 90s, 30m" },
} as const;

export const { run, options } = gatewayCommand({
  name: "follow",
  purpose: "show a measurement as it goes: replies as they come, and how far each agent is",
  usage: "[options] ID",
  about: `All replies are shown, from the first on. It ends when the agents have sent everything and no more replies can
come; a connection that breaks is taken up where it was.`,
  options: table,
  more: `Examples
  vantage follow 6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55
  vantage follow -o ndjson --count=100 6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55 | jq .rtt_ms

Exit codes: 0 complete, or as many replies as were wanted; 1 failure, 2 wrong usage, 3 agents that did not finish, or no
more time; 130 interrupted.`,
  check: checked,
  act: followMeasurement,
});

function checked(
  { count, timeout }: OptionValues<typeof table>,
  positionals: readonly string[],
): FollowOrder {
  return {
    id: measurementId(positionals),
    filter: {},
    count: count === undefined ? null : numberOf("--count", count, [1, rowsMax]),
    timeoutMs: timeout === undefined ? null : timeoutOf(timeout),
  };
}
