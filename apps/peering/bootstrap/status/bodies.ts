/** What `/status.json` says, as a schema: for the OpenAPI document, and for the types of what is written. */
import * as v from "valibot";

const verdict = v.picklist(["announced", "refused", "waiting", "withdrawn", "notLeased", "down"]);

const refused = v.object({
  prefix: v.string(),
  as_path: v.string(),
  reason: v.string(),
  explanation: v.string(),
  advice: v.string(),
});

export const statusBody = v.object({
  /** Time of the last round; the page is stale when it is old. */
  at: v.string(),
  /** ASN null = not known yet. */
  user: v.object({ asn: v.nullable(v.number()), receive_only: v.boolean() }),
  vpn: v.object({ state: v.string(), address: v.nullable(v.string()) }),
  daemon: v.object({ is_up: v.boolean(), in_force: v.boolean() }),
  /** From the login to the first session, in order; empty when all is done. */
  steps: v.array(
    v.object({
      text: v.string(),
      is_done: v.boolean(),
      advice: v.string(),
      /** To be opened by the user. */
      url: v.nullable(v.string()),
      /** Shown there, or to be given there. */
      code: v.nullable(v.string()),
    }),
  ),
  /** What is not as it should be, the worst first; each with what to do. */
  problems: v.array(v.object({ text: v.string(), advice: v.string() })),
  exchanges: v.array(
    v.object({
      name: v.string(),
      address: v.string(),
      is_online: v.boolean(),
      is_up: v.boolean(),
      state: v.string(),
      since: v.nullable(v.string()),
      last_error: v.nullable(v.string()),
      received_routes: v.number(),
      accepted_routes: v.number(),
      /** What the exchange says of this session as a whole. */
      remark: v.nullable(v.string()),
      refused: v.array(refused),
    }),
  ),
  prefixes: v.array(
    v.object({
      prefix: v.string(),
      lease: v.picklist(["leased", "ended", "missing", "unknown"]),
      end_time: v.nullable(v.string()),
      seconds_left: v.nullable(v.number()),
      exchanges: v.array(
        v.object({
          name: v.string(),
          verdict,
          prepend: v.number(),
          /** From us to the exchange, as it received it; null where it has not. */
          as_path: v.nullable(v.string()),
          /** To whom outside the exchange passes it on; none where it is not taken, or is not a route for outside. */
          heard_by: v.array(v.object({ name: v.string(), asn: v.number() })),
          explanation: v.string(),
          advice: v.string(),
        }),
      ),
    }),
  ),
});

export type StatusBody = v.InferOutput<typeof statusBody>;
export type PrefixBody = StatusBody["prefixes"][number];
export type ExchangeBody = StatusBody["exchanges"][number];
export type StepBody = StatusBody["steps"][number];
export type Verdict = v.InferOutput<typeof verdict>;
