/** @jsxImportSource hono/jsx */
/** What a user wants announced, and what has become of it: at the client stack's daemon, at the exchange, beyond. */
import type * as v from "valibot";
import { announcementsAnswer, prependMax } from "../../../lib/api/announcements.ts";
import type { ApiClient } from "../api-client.ts";
import { Action, Choice, Field } from "../parts/field.tsx";
import { Foreign } from "../parts/foreign.tsx";
import { type Look, Mark } from "../parts/mark.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";

type Answer = v.InferOutput<typeof announcementsAnswer>;
type Announcement = Answer["announcements"][number];
type State = NonNullable<Answer["report"]>["states"][number];

const api = "/console/peering-call/api/announcements";
const everywhere = "*";

interface AnnouncementsProps {
  readonly peering: ApiClient;
  /** Leased prefixes. */
  readonly prefixes: readonly string[];
}

export async function Announcements({ peering, prefixes }: AnnouncementsProps) {
  const { announcements, report, budget } = await peering.get("/api/announcements", announcementsAnswer);
  const wanted = announcements.filter(({ announce }) => announce);
  return (
    <section aria-labelledby="announcements-title">
      <h2 id="announcements-title">Announcements</h2>
      <p class="soft">
        {`${budget.left} of ${budget.per_hour_max} changes are left in this hour; to withdraw is always allowed. `}
        {report === null ? (
          "No client stack has reported yet: it takes announcements from here (vantage bootstrap with gateway.url)."
        ) : (
          <>
            Your client stack reported <Time at={report.received_at} />.
          </>
        )}
      </p>
      <Table caption="What you announce" columns={wantedColumns} rows={wanted} none="You announce nothing." />
      {prefixes.length === 0 ? null : <Announce prefixes={prefixes} />}
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

function Announce({ prefixes }: Pick<AnnouncementsProps, "prefixes">) {
  const [first = ""] = prefixes;
  return (
    <form class="row" data-call={`PUT ${api}/{prefix}`} data-done="Your client stack takes it">
      <Choice
        label="Prefix"
        name="prefix"
        value={first}
        options={Object.fromEntries(prefixes.map((prefix) => [prefix, prefix]))}
      />
      <Field
        label="At (exchange servers, * for all)"
        name="servers"
        kind="words"
        value={everywhere}
        isRequired
      />
      <Field
        label={`Copies of your AS before the path (at most ${prependMax})`}
        name="prepend"
        type="number"
        kind="number"
        value="0"
        isRequired
      />
      <button type="submit">Announce</button>
    </form>
  );
}

const wantedColumns: readonly Column<Announcement>[] = [
  { head: "Prefix", isName: true, cell: ({ prefix }) => <code>{prefix}</code> },
  { head: "At", cell: ({ server }) => (server === everywhere ? "all" : <code>{server}</code>) },
  { head: "Prepended", isFigure: true, cell: ({ prepend }) => prepend ?? 0 },
  { head: "Until", cell: ({ until }) => (until === null ? "the lease ends" : <Time at={until} />) },
  {
    head: "Do",
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
        "nobody"
      ) : (
        <Foreign text={networks.map(({ name, asn }) => `${name} (AS${asn})`).join(", ")} />
      ),
  },
];

function wordOf(isAnnounced: boolean, isConfirmed: boolean): string {
  const word = isAnnounced ? "announces" : "announces it no more";
  return isConfirmed ? word : `not yet: ${word}`;
}
