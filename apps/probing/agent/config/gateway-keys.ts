/** The keys of an agent's configuration about its gateway. */
import * as v from "valibot";
import { numberKey, optionalKey } from "../../../../lib/engines/config/shape.ts";
import { checkedText } from "../../../../lib/engines/config/values.ts";
import { reportIntervalMaxMs, reportIntervalMinMs } from "../../../../lib/measuring/probing/limits.ts";

const url = checkedText(
  (address) => /^https?:\/\/[^\s?#]+$/.test(address) && URL.canParse(address),
  "must be an address such as https://gateway.example",
);

export const gatewayKeys = v.object({
  url: optionalKey(url, {
    meaning: "Address of the gateway; without it the broker is enough",
    blankIsDefault: true,
  }),
  agent_key: optionalKey(v.string(), {
    meaning: "This agent's own key at the gateway",
    blankIsDefault: true,
  }),
  agent_secret: optionalKey(v.string(), {
    meaning: "Proves that it is the same host that registers again; goes with `agent_key`",
    blankIsDefault: true,
  }),
  enrolment_key: optionalKey(v.string(), {
    meaning:
      "(ours) Instead of the two: key for first contact; what it gives is kept in `state_dir`, for its owner alone",
    blankIsDefault: true,
  }),
  report_interval_ms: numberKey([reportIntervalMinMs, reportIntervalMaxMs], 1000, {
    unit: "ms",
    meaning: "(ours) How often the agent reports, and learns of cancellations",
  }),
});
