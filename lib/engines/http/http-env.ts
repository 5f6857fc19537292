/** What middleware and handlers know of a request: the type parameter of every Hono app of a service. */

import type { Prefix } from "../../net/ip/prefix.ts";
import type { Identity } from "../auth/token-verifier.ts";
import type { BodyRoom } from "./body-room.ts";
import type { Work } from "./work.ts";

export interface HttpEnv {
  Variables: {
    requestId: string;
    /** Networks of proxies trusted to set X-Forwarded-For: caller.ts reads it. */
    proxies: readonly Prefix[];
    /** For JSON bodies: see body-room.ts. */
    bodyRoom: BodyRoom;
    /** What the request may compute: whatever computes much takes it as a parameter. */
    work: Work;
    /** Set by requireUser; userOf reads it. */
    identity?: Identity;
    /** Rejects once the caller would be refused; set by who admits callers, used by standing.ts. */
    checkAgain?: () => Promise<unknown>;
    /** Set by requireOperator; operatorOf reads it. */
    operator?: string;
  };
}
