/** @jsxImportSource hono/jsx */
/** All users' sessions at the exchanges. */
import { ApiProblem } from "../../api-client.ts";
import type { Visit } from "../../page.ts";
import { askedExchanges, type ShownSession, sessionColumns } from "../../parts/exchanges.tsx";
import { Figure } from "../../parts/figure.tsx";
import { PagedTable } from "../../parts/paging.tsx";
import type { Column } from "../../parts/table.tsx";

export async function Exchanges({ visit }: { readonly visit: Visit }) {
  // Other parts call an API, which decides about rights; exchanges return all users' sessions to this gateway.
  if (visit.person?.isOperator !== true) {
    throw new ApiProblem(403, "operators_only", "Only operators can see all users' sessions");
  }
  if (visit.exchanges.length === 0) {
    return <p class="none">No exchange servers are configured for this page (console.exchanges).</p>;
  }
  const { sessions, silent } = await askedExchanges(visit);
  // Those that are down are first.
  const ordered = sessions.toSorted((a, b) => Number(a.is_up) - Number(b.is_up));
  const sum = (count: (one: ShownSession) => number) => sessions.reduce((all, one) => all + count(one), 0);
  return (
    <div id="exchanges" data-every-s={30}>
      {silent}
      <dl class="figures">
        <Figure
          name="Exchanges that answer"
          value={`${visit.exchanges.length - silent.length} of ${visit.exchanges.length}`}
        />
        <Figure
          name="Sessions up"
          value={`${sum(({ is_up: isUp }) => Number(isUp))} of ${sessions.length}`}
        />
        <Figure name="Routes taken" value={sum((one) => one.accepted_routes)} />
        <Figure name="Refused" value={sum((one) => one.refused_routes)} />
      </dl>
      <PagedTable visit={visit} caption="Sessions" columns={columns} rows={ordered} none="No session yet." />
    </div>
  );
}

const columns: readonly Column<ShownSession>[] = [
  ...sessionColumns.map((column) =>
    column.head === "Your address"
      ? { ...column, head: "Address" }
      : column.head === "Sent to you"
        ? { ...column, head: "Sent" }
        : column,
  ),
  { head: "AS", isFigure: true, cell: ({ asn }) => (asn === null ? "–" : `AS${asn}`) },
  { head: "User", cell: ({ user_hash: hash }) => <code>{hash?.slice(0, 12) ?? "–"}</code> },
];
