/** A user's own results from a gateway, which formats them itself. */
import { answerBytes } from "../../engines/gateway-client/answer-bytes.ts";
import type { Gateway } from "../../engines/gateway-client/gateway.ts";
import { formatPrefix } from "../../net/ip/prefix.ts";
import type { ResultSource } from "./result-source.ts";
import { readUnattributed } from "./unattributed.ts";

/** For filters with a measurement or a campaign, and without a source. */
export function gatewaySource(gateway: Gateway, signal: AbortSignal): ResultSource {
  return {
    areCellsHarmless: false,
    ask: async ({ name }, { filter, against, limit, with: fields = [] }, format) => {
      const { measurementId, campaignId, agent, destination, sinceMs, untilMs } = filter;
      const query = {
        agent,
        destination: destination === undefined ? undefined : formatPrefix(destination),
        since: timeText(sinceMs),
        until: timeText(untilMs),
        against: against?.measurementId,
        // A picture has its own limit.
        limit: limit ?? (format === "svg" ? undefined : Number.MAX_SAFE_INTEGER),
        format,
        with: fields.length === 0 ? undefined : fields.join(),
      };
      const of = campaignId === undefined ? `measurements/${measurementId}` : `campaigns/${campaignId}`;
      const path = `/api/${of}/${name}`;
      const response = await gateway.request(path, { query, signal });
      return {
        texts: answerBytes(response),
        unattributed: async () => readUnattributed(response.headers),
      };
    },
  };
}

function timeText(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
