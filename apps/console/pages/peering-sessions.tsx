/** @jsxImportSource hono/jsx */
/** A user's sessions at exchanges, with accepted announcements, and refused ones with the reason. */
import type { Visit } from "../page.ts";
import { askedExchanges, type ShownSession, sessionColumns } from "../parts/exchanges.tsx";
import { Foreign } from "../parts/foreign.tsx";
import { type Column, Table } from "../parts/table.tsx";

interface PeeringSessionsProps {
  readonly visit: Visit;
  /** The user's ASN. */
  readonly userHash: string;
}

export async function PeeringSessions({ visit, userHash }: PeeringSessionsProps) {
  return (
    <section aria-labelledby="sessions-title">
      <h2 id="sessions-title">Sessions</h2>
      {visit.exchanges.length === 0 ? (
        <p class="none">
          No exchange servers are configured for this page (console.exchanges). On your own router:{" "}
          <code>vantage bootstrap status</code>.
        </p>
      ) : (
        await Sessions({ visit, userHash })
      )}
      <p class="soft">
        By command: <code>vantage announce PREFIX</code>, <code>vantage withdraw PREFIX</code>; without a
        login on your router too, with <code>--config bootstrap.yaml</code>.
      </p>
    </section>
  );
}

async function Sessions({ visit, userHash }: PeeringSessionsProps) {
  const { sessions, silent } = await askedExchanges(visit);
  const own = sessions.filter(({ user_hash: hash }) => hash === userHash);
  const accepted = own.flatMap((session) => session.accepted.map((route) => ({ ...route, session })));
  const refused = own.flatMap((session) => session.refused.map((route) => ({ ...route, session })));
  return (
    <>
      {silent}
      <Table
        caption="Your sessions"
        columns={sessionColumns}
        rows={own}
        none="No exchange has a session with a device of yours."
      />
      <h3>Accepted announcements</h3>
      <Table
        caption="Accepted announcements"
        columns={acceptedColumns}
        rows={accepted}
        none="None of yours is accepted now."
      />
      <h3>Rejected routes</h3>
      <Table
        caption="Rejected routes"
        columns={refusedColumns}
        rows={refused}
        none="None of yours is rejected."
      />
    </>
  );
}

type Accepted = ShownSession["accepted"][number] & { readonly session: ShownSession };
type Refused = ShownSession["refused"][number] & { readonly session: ShownSession };

const prefix = {
  head: "Prefix",
  isName: true,
  cell: (route: { readonly prefix: string }) => <code>{route.prefix}</code>,
} as const;
const path = {
  head: "AS path",
  cell: ({ as_path: text }: { readonly as_path: string }) => <Foreign text={text} />,
};
const at = {
  head: "At",
  cell: ({ session }: { readonly session: ShownSession }) => session.exchange,
};

const acceptedColumns: readonly Column<Accepted>[] = [
  prefix,
  at,
  path,
  {
    head: "Passed on to",
    cell: ({ heard_by: outside }) => (
      <Foreign
        text={outside.map(({ name, asn }) => `AS${asn} ${name}`).join(", ") || "no network outside yet"}
      />
    ),
  },
];

const refusedColumns: readonly Column<Refused>[] = [
  prefix,
  at,
  path,
  { head: "Reason", cell: ({ explanation }) => <Foreign text={explanation} /> },
];
