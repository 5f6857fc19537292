/** `--collector`, and what asks it. */
import { cannot } from "../../../lib/command/command/command-error.ts";
import { text } from "../../../lib/command/command/kinds.ts";
import { defaultPorts } from "../../../lib/engines/config/default-ports.ts";
import { GatewayError } from "../../../lib/engines/gateway-client/gateway-error.ts";

export const collectorDefault = `http://127.0.0.1:${defaultPorts.collector}`;

export const collectorOption = {
  collector: {
    kind: text,
    placeholder: "URL",
    defaultText: `VANTAGE_COLLECTOR, else ${collectorDefault}`,
    meaning: "the collector",
  },
} as const;

/** What a collector's failure becomes on the command line. */
export function collectorError(error: unknown): unknown {
  if (!(error instanceof GatewayError)) {
    return error;
  }
  const advice = "name it with --collector URL, or start one with vantage collector";
  return cannot(error.code === "unreachable" ? `${error.message}; ${advice}` : error.message);
}
