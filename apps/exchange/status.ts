/** `vantage exchange status`: sessions and routes, as the policy generator of the exchange sees them. */
import * as v from "valibot";
import { type cacheAnswer, exchangeStatusAnswer } from "../../lib/api/exchange-status.ts";
import { systemReason } from "../../lib/failure/system-reason.ts";
import type { Column } from "../../lib/terminal/rows-output.ts";

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
  caches: exchangeStatusAnswer.entries.caches,
});
type SessionAnswer = v.InferOutput<typeof answer>["sessions"][number];
type CacheAnswer = v.InferOutput<typeof cacheAnswer>;

/** What a row is about. */
type Subject = Pick<SessionAnswer, "address" | "user_hash" | "state" | "for_seconds"> & {
  /** Null for an RPKI cache. */
  readonly peer_asn: number | null;
};

/** A route of a session, a session without routes, or an RPKI cache. */
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
  return [...read.output.sessions.flatMap(rowsOf), ...read.output.caches.map(cacheRow)];
}

function cacheRow({ name, server, state, age_seconds: ageSec, roas }: CacheAnswer): StatusRow {
  const answered =
    ageSec === null ? "it has not answered yet" : `${roas} ROAs, told ${Math.round(ageSec)} s ago`;
  return {
    session: { address: server, user_hash: null, peer_asn: null, state, for_seconds: null },
    ...{ prefix: "", verdict: "", reason: "" },
    explanation: `RPKI ${name}: ${answered}`,
  };
}

function rowsOf(session: SessionAnswer): StatusRow[] {
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
    cell: ({ session: { user_hash: hash, peer_asn: asn } }) =>
      hash?.slice(0, 12) ?? (asn === null ? "" : "nobody"),
  },
  { name: "peer_asn", head: "AS", value: ({ session }) => session.peer_asn, align: "right" },
  { name: "state", head: "state", value: ({ session }) => session.state },
  { name: "for_seconds", head: "for s", value: ({ session }) => session.for_seconds, align: "right" },
  { name: "prefix", head: "prefix", value: ({ prefix }) => prefix },
  { name: "verdict", head: "route", value: ({ verdict }) => verdict },
  { name: "reason", head: null, value: ({ reason }) => reason },
  { name: "explanation", head: "why", value: ({ explanation }) => explanation },
];
