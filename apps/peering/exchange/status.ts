/** `vantage exchange status`: sessions and routes, as the policy generator of the exchange sees them. */
import * as v from "valibot";
import {
  type cacheAnswer,
  exchangeStatusAnswer,
  type outsideAnswer,
} from "../../../lib/base/api/exchange-status.ts";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import type { Column } from "../../../lib/base/terminal/rows-output.ts";

const answerMsMax = 30_000;

const answer = v.object({
  sessions: v.array(
    v.object({
      address: v.string(),
      user_hash: v.nullable(v.string()),
      peer_asn: v.number(),
      state: v.string(),
      for_seconds: v.nullable(v.number()),
      remark: v.nullable(v.string()),
      accepted: v.array(v.object({ prefix: v.string() })),
      refused: v.array(v.object({ prefix: v.string(), reason: v.string(), explanation: v.string() })),
    }),
  ),
  outside: exchangeStatusAnswer.entries.outside,
  caches: exchangeStatusAnswer.entries.caches,
});
type SessionAnswer = v.InferOutput<typeof answer>["sessions"][number];
type OutsideAnswer = v.InferOutput<typeof outsideAnswer>;
type CacheAnswer = v.InferOutput<typeof cacheAnswer>;

/** What a row is about. */
type Subject = Pick<SessionAnswer, "address" | "user_hash" | "state" | "for_seconds"> & {
  /** Null for an RPKI cache. */
  readonly peer_asn: number | null;
  readonly isUser: boolean;
};

/** A route of a session, a session without routes, a neighbour outside, or an RPKI cache. */
interface StatusRow {
  readonly session: Subject;
  readonly prefix: string;
  readonly verdict: "accepted" | "refused" | "";
  readonly reason: string;
  readonly explanation: string;
}

/** Throws Error, with the next step, without an answer of that form. */
export async function readStatus(url: string): Promise<StatusRow[]> {
  const place = `${url.replace(/\/$/, "")}/status`;
  const response = await fetch(place, { signal: AbortSignal.timeout(answerMsMax) }).catch(
    (cause: unknown) => {
      const why = systemReason(cause);
      throw new Error(`Cannot ask ${place}: ${why}; is the policy generator running? (see: --url)`, {
        cause,
      });
    },
  );
  const body: unknown = await response.json().catch(() => null);
  const read = v.safeParse(answer, body);
  if (!response.ok || !read.success) {
    const said = v.safeParse(v.object({ message: v.string() }), body);
    const why = said.success
      ? said.output.message
      : `status ${response.status}, and not the answer of a generator`;
    throw new Error(`Cannot use ${place}: ${why}`);
  }
  const { sessions, outside, caches } = read.output;
  return [...sessions.flatMap(rowsOf), ...outside.flatMap(outsideRows), ...caches.map(cacheRow)];
}

/** Each refused route that is listed, behind a row with the counts. */
function outsideRows({ refused, ...neighbor }: OutsideAnswer): StatusRow[] {
  const { name, accepted_routes: taken, refused_routes: count, refused_by: by } = neighbor;
  const reasons = Object.entries(by ?? {}).map(([reason, routes]) => `${routes} ${reason}`);
  const list = by === null ? "too many to list" : reasons.join(", ");
  const explanation = `${name}: ${taken} routes taken, ${count} refused${list === "" ? "" : `: ${list}`}`;
  const session = { ...neighbor, user_hash: null, isUser: false };
  const routes = refused.map((route): StatusRow => ({ session, verdict: "refused", ...route }));
  return [{ session, prefix: "", verdict: "", reason: "", explanation }, ...routes];
}

function cacheRow({ name, server, state, age_seconds: ageSec, roas }: CacheAnswer): StatusRow {
  const answered = ageSec === null ? "it has not answered yet" : `${roas} ROAs, ${Math.round(ageSec)} s old`;
  return {
    session: { address: server, user_hash: null, peer_asn: null, state, for_seconds: null, isUser: false },
    ...{ prefix: "", verdict: "", reason: "" },
    explanation: `RPKI ${name}: ${answered}`,
  };
}

function rowsOf(answered: SessionAnswer): StatusRow[] {
  const session = { ...answered, isUser: true };
  const accepted = session.accepted.map(
    ({ prefix }): StatusRow => ({ session, prefix, verdict: "accepted", reason: "", explanation: "" }),
  );
  const refused = session.refused.map((route): StatusRow => ({ session, verdict: "refused", ...route }));
  const rows = [...accepted, ...refused];
  const nothing: StatusRow = {
    session,
    prefix: "",
    verdict: "",
    reason: "",
    explanation: session.remark ?? "",
  };
  return rows.length === 0 ? [nothing] : rows;
}

export const statusColumns: readonly Column<StatusRow>[] = [
  { name: "address", head: "address", value: ({ session }) => session.address },
  {
    name: "user_hash",
    head: "user",
    value: ({ session }) => session.user_hash,
    cell: ({ session: { user_hash: hash, isUser } }) => hash?.slice(0, 12) ?? (isUser ? "nobody" : ""),
  },
  { name: "peer_asn", head: "AS", value: ({ session }) => session.peer_asn, align: "right" },
  { name: "state", head: "state", value: ({ session }) => session.state },
  { name: "for_seconds", head: "for s", value: ({ session }) => session.for_seconds, align: "right" },
  { name: "prefix", head: "prefix", value: ({ prefix }) => prefix },
  { name: "verdict", head: "route", value: ({ verdict }) => verdict },
  { name: "reason", head: null, value: ({ reason }) => reason },
  { name: "explanation", head: "why", value: ({ explanation }) => explanation },
];
