/** @jsxImportSource hono/jsx */
/** A user's announcement requests, and their state at the client stack's daemon, at the exchange, and beyond. */
import { type AnnouncementsAnswer, announcementsAnswer } from "../../../lib/base/api/announcements.ts";
import { attributesInWords } from "../../../lib/base/api/attribute-words.ts";
import type { ApiClient } from "../api-client.ts";
import { Action } from "../parts/field.tsx";
import { Foreign } from "../parts/foreign.tsx";
import { type Look, Mark } from "../parts/mark.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { AnnounceForm, Budgets } from "./announce-form.tsx";

type Announcement = AnnouncementsAnswer["announcements"][number];
type State = NonNullable<AnnouncementsAnswer["report"]>["states"][number];

const api = "/console/peering-call/api/announcements";
const everywhere = "*";

interface AnnouncementsProps {
  readonly peering: ApiClient;
  /** Leased prefixes. */
  readonly prefixes: readonly string[];
}

export async function Announcements({ peering, prefixes }: AnnouncementsProps) {
  const answer = await peering.get("/api/announcements", announcementsAnswer);
  const { announcements, report, budget } = answer;
  const wanted = announcements.filter(({ announce }) => announce);
  return (
    <section aria-labelledby="announcements-title">
      <h2 id="announcements-title">Announcements</h2>
      <p class="soft">
        {`${budget.left} of ${budget.per_hour_max} changes left this hour; you can always withdraw. `}
        {report === null ? (
          "Your router isn’t following this page yet: set gateway.profile in its configuration."
        ) : (
          <>
            Your client stack reported <Time at={report.received_at} />.
          </>
        )}
      </p>
      <Table
        caption="What you announce"
        columns={wantedColumns}
        rows={wanted}
        none="You announce nothing by request; what your router announces by itself is below."
      />
      {prefixes.length === 0 ? null : <AnnounceForm api={api} prefixes={prefixes} answer={answer} />}
      <Budgets budget={budget} />
      {wanted.length === 0 ? null : (
        <Action call={`DELETE ${api}`} word="Withdraw everything" of="" done="All is withdrawn" isDangerous />
      )}
      {report === null ? null : (
        <Table
          caption="What has become of it, as your client stack reads it"
          columns={stateColumns}
          rows={report.states}
          none="Nothing is announced, and nothing was."
        />
      )}
    </section>
  );
}

const wantedColumns: readonly Column<Announcement>[] = [
  { head: "Prefix", isName: true, cell: ({ prefix }) => <code>{prefix}</code> },
  { head: "At", cell: ({ server }) => (server === everywhere ? "all" : <code>{server}</code>) },
  { head: "Prepended", isFigure: true, cell: ({ prepend }) => prepend ?? 0 },
  {
    head: "Besides",
    isSentence: true,
    cell: (row) => attributesInWords(row).join(", ") || "–",
  },
  { head: "Until", cell: ({ until }) => (until === null ? "the lease ends" : <Time at={until} />) },
  {
    head: "Actions",
    cell: ({ prefix, server }) => (
      <Action
        call={`DELETE ${api}/${encodeURIComponent(prefix)}?server=${encodeURIComponent(server)}`}
        word="Withdraw"
        of={prefix}
        done="Withdrawn"
        isDangerous
      />
    ),
  },
];

const looks: Readonly<Record<State["exchange"], Look>> = {
  accepted: "good",
  refused: "bad",
  withdrawn: "plain",
  unknown: "wait",
};

const stateColumns: readonly Column<State>[] = [
  { head: "Prefix", isName: true, cell: ({ prefix }) => <code>{prefix}</code> },
  { head: "At", cell: ({ server }) => <code>{server}</code> },
  {
    head: "Your daemon",
    cell: ({ announce, daemon_ns: ns, daemon_reason: reason }) =>
      reason === null ? (
        <Mark look={ns === null ? "wait" : "good"} word={wordOf(announce, ns !== null)} />
      ) : (
        <Foreign text={reason} />
      ),
  },
  {
    head: "Exchange",
    cell: ({ exchange, exchange_reason: reason }) => (
      <>
        <Mark look={looks[exchange]} word={exchange} /> {reason === null ? null : <Foreign text={reason} />}
      </>
    ),
  },
  {
    head: "Passed on to",
    cell: ({ heard_by: networks }) =>
      networks.length === 0 ? (
        "none"
      ) : (
        <Foreign text={networks.map(({ name, asn }) => `${name} (AS${asn})`).join(", ")} />
      ),
  },
];

function wordOf(isAnnounced: boolean, isConfirmed: boolean): string {
  const word = isAnnounced ? "announces" : "announces it no more";
  return isConfirmed ? word : `not yet: ${word}`;
}
