/** Sessions with upstreams, peers and route servers: their state, and what was refused of theirs, by reason. */
import type * as v from "valibot";
import type { outsideAnswer } from "../../../lib/api/exchange-status.ts";
import { elapsedSec } from "../../../lib/bird/elapsed.ts";
import type { Route } from "../../../lib/bird/routes.ts";
import type { BirdSession } from "../../../lib/bird/sessions.ts";
import { countRefusals, outsideRefusalOf, outsideRefusalWords } from "../../../lib/policy/outside-refusal.ts";
import { routesShownMax } from "../limits.ts";

type OutsideBody = v.InferOutput<typeof outsideAnswer>;

interface SeenOutside {
  /** BIRD's own. */
  readonly clock: string;
  /** By name of the session; null = too many. */
  readonly refused: ReadonlyMap<string, readonly Route[]> | null;
  readonly platformAsn: number;
}

export function outsideView(session: BirdSession, { clock, refused, platformAsn }: SeenOutside): OutsideBody {
  const routes = refused?.get(session.name) ?? [];
  return {
    name: session.name,
    address: session.neighborAddress,
    peer_asn: session.neighborAsn,
    state: session.state,
    is_up: session.isUp,
    for_seconds: elapsedSec(session.since, clock),
    last_error: session.lastError,
    accepted_routes: session.importedRoutes,
    refused_routes: session.filteredRoutes,
    refused_by: refused === null ? null : countRefusals(routes, platformAsn),
    refused: routes.slice(0, routesShownMax).map((route) => {
      const reason = outsideRefusalOf({ marks: route.largeCommunities }, platformAsn);
      return { prefix: route.prefix, as_path: route.path, reason, explanation: outsideRefusalWords[reason] };
    }),
  };
}
