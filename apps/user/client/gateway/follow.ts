/** `vantage follow`: a running measurement. */
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { duration, number } from "../../../../lib/command/command/kinds.ts";
import { rowsMax, waitMsMax } from "../limits.ts";
import { followMeasurement } from "./follow-measurement.ts";
import { measurementArgument } from "./measurement-id.ts";

export const command = gatewayCommand({
  about: `All replies are shown, from the first on. It ends when the agents have sent everything and no more \
replies can come; a broken connection is resumed where it was.`,
  options: {
    count: { kind: number(1, rowsMax), meaning: "end after this many replies" },
    timeout: { kind: duration(waitMsMax), meaning: "end after this time: 90s, 30m" },
  },
  arguments: measurementArgument,
  examples: [
    "vantage follow last",
    "vantage follow 6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55",
    "vantage follow -o ndjson --count=100 6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55 | jq .rtt_ms",
  ],
  exits: {
    ok: "complete, or as many replies as were wanted",
    partial: "agents that did not finish, or no more time",
    interrupted: "interrupted",
  },
  act: (session, { id, count, timeout }) =>
    followMeasurement(session, { id, filter: {}, count, timeoutMs: timeout }),
});
