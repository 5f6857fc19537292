/**
 * Refused routes of an exchange server's users, and why: its policy generator knows reasons that no mark has.
 */
import * as v from "valibot";
import { sessionAnswer } from "../../../../lib/base/api/exchange-status.ts";
import { userAgent } from "../../../../lib/command/command/gateway/session.ts";
import { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { parseAddress } from "../../../../lib/net/ip/address.ts";
import { parsePrefix } from "../../../../lib/net/ip/prefix.ts";
import type { Refusal } from "../../../../lib/net/rib/refusals.ts";

const answer = v.object({ sessions: v.array(v.pick(sessionAnswer, ["address", "refused"])) });

/** As many of a session as `GET /status` shows. Throws GatewayError. */
export async function exchangeRefusals(address: string): Promise<Refusal[]> {
  const generator = new Gateway({ address, tokens: null, userAgent, retryDelaysMs: [] });
  const { sessions } = await generator.read("/status", answer, { anonymous: true });
  return sessions.flatMap(({ address, refused }) =>
    refused.flatMap(({ prefix: text, explanation: reason }) => {
      const [peer, prefix] = [parseAddress(address), parsePrefix(text)];
      return peer === null || prefix === null ? [] : [{ peer, prefix, reason }];
    }),
  );
}
