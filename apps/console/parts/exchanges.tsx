/** @jsxImportSource hono/jsx */
/** Sessions reported by exchange servers (`console.exchanges`), queried concurrently. */
import type * as v from "valibot";
import { exchangeStatusAnswer, type sessionAnswer } from "../../../lib/base/api/exchange-status.ts";
import { grouped } from "../../../lib/base/terminal/figures.ts";
import { durationInWords } from "../../../lib/base/terminal/time-words.ts";
import type { Visit } from "../page.ts";
import { failureView } from "./failure.tsx";
import { Foreign } from "./foreign.tsx";
import { Mark } from "./mark.tsx";
import type { Column } from "./table.tsx";

export interface ShownSession extends v.InferOutput<typeof sessionAnswer> {
  /** Host of the exchange server. */
  readonly exchange: string;
}

/** All users' sessions, by exchange and name; and the exchanges that do not respond. */
export async function askedExchanges({ exchanges }: Pick<Visit, "exchanges">) {
  const answers = await Promise.all(
    exchanges.map(({ name, api }) =>
      api.get("/status", exchangeStatusAnswer).then(
        ({ sessions }) => ({
          sessions: sessions.map((one): ShownSession => ({ ...one, exchange: name })),
          silent: null,
        }),
        (error: unknown) => ({
          sessions: [],
          silent: (
            <div>
              <p>{name}</p>
              {failureView(error).body}
            </div>
          ),
        }),
      ),
    ),
  );
  return {
    sessions: answers.flatMap(({ sessions }) => sessions),
    silent: answers.flatMap(({ silent }) => (silent === null ? [] : [silent])),
  };
}

export const sessionColumns: readonly Column<ShownSession>[] = [
  { head: "Exchange", cell: ({ exchange }) => exchange },
  { head: "Session", isName: true, cell: ({ name }) => <Foreign text={name} /> },
  { head: "Your address", cell: ({ address }) => <code>{address}</code> },
  {
    head: "State",
    cell: ({ is_up: isUp, state, last_error: error }) => (
      <>
        <Mark look={isUp ? "good" : "bad"} word={isUp ? "up" : "down"} />{" "}
        <Foreign text={[isUp ? "" : state, error ?? ""].filter(Boolean).join(": ")} />
      </>
    ),
  },
  {
    head: "For",
    cell: ({ for_seconds: seconds }) => (seconds === null ? "–" : durationInWords(seconds * 1000)),
  },
  { head: "Taken", isFigure: true, cell: ({ accepted_routes: count }) => grouped(count) },
  { head: "Refused", isFigure: true, cell: ({ refused_routes: count }) => grouped(count) },
  { head: "Sent to you", isFigure: true, cell: ({ exported_routes: count }) => grouped(count) },
  { head: "Remark", cell: ({ remark }) => <Foreign text={remark ?? "–"} /> },
];
