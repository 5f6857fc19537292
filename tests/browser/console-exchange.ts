/** An exchange server that answers as a policy generator does: a session of the operator's, one of somebody else's. */
import { expect } from "bun:test";
import type * as v from "valibot";
import type { exchangeStatusAnswer } from "../../lib/base/api/exchange-status.ts";
import { userHashOf } from "../../lib/engines/auth/token-verifier.ts";
import { type RunningServer, serve } from "../../lib/engines/http/serve.ts";
import { operator } from "../contract/console/console-home.ts";
import type { Tab } from "./tab.ts";

type Session = v.InferOutput<typeof exchangeStatusAnswer>["sessions"][number];

/** `foreign` is what routers say wherever they can say something. */
export function serveExchange(foreign: string): RunningServer {
  const own: Session = {
    ...{ name: foreign, address: "100.64.0.7", user_hash: userHashOf(operator), asn: 4_200_000_001 },
    ...{ peer_asn: 4_200_000_001, state: "Established", is_up: true, for_seconds: 3660, last_error: null },
    ...{ remark: foreign, leases: [], suspended_until: null },
    ...{ exported_routes: 230_001, accepted_routes: 1, refused_routes: 1 },
    accepted: [
      {
        ...{ prefix: "2001:db8:1::/48", as_path: "4200000001" },
        actions: [],
        heard_by: [{ name: "upstream", asn: 64_510 }],
      },
    ],
    refused: [
      {
        ...{ prefix: "2001:db8:9::/48", as_path: foreign, next_hop: "100.64.0.7" },
        ...{ reason: "notLeased", explanation: "you have not leased it" },
      },
    ],
  };
  const others: Session = {
    ...own,
    ...{ name: "u_mallory", address: "100.64.0.8", user_hash: userHashOf("mallory"), state: "Active" },
    ...{ is_up: false, for_seconds: null, last_error: "Socket: Connection refused", remark: null },
    ...{ accepted: [], accepted_routes: 0, refused: [], refused_routes: 0 },
  };
  const status = { at: new Date().toISOString(), sessions: [own, others] };
  return serve(() => Response.json(status), { host: "127.0.0.1", port: 0 });
}

/** A user's own sessions with what is refused and why, and everybody's for operators. */
export async function checkSessions(tab: Tab, url: string): Promise<void> {
  const silent = "The exchange is unreachable";
  await tab.go(`${url}console/peering`);
  const own = await tab.text("main");
  for (const words of ["100.64.0.7", "1 h 1 min", "AS64510 upstream", "you have not leased it", silent]) {
    expect(own).toContain(words);
  }
  expect(own).not.toContain("100.64.0.8");
  await tab.go(`${url}console/operators?view=exchanges`);
  const all = await tab.text("main");
  for (const words of ["1 of 2", "100.64.0.7", "100.64.0.8", "Socket: Connection refused", silent]) {
    expect(all).toContain(words);
  }
}
