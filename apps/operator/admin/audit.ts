/** `vantage admin audit`: the audit log of both gateways. */
import { peeringAuditAnswer } from "../../../lib/base/api/peering-admin.ts";
import { probingAuditAnswer } from "../../../lib/base/api/probing-admin.ts";
import type { Column } from "../../../lib/base/terminal/rows-output.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { number, text } from "../../../lib/command/command/kinds.ts";
import type { AdminApi } from "./admin-api.ts";
import { userKind } from "./arguments.ts";
import { bothCommand } from "./both-command.ts";
import { auditRowsDefault, rowsMax } from "./limits.ts";
import { hashOf } from "./who.ts";

interface Change {
  readonly gateway: "probing" | "peering";
  readonly number: number;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const columns: readonly Column<Change>[] = [
  { name: "at", head: "when (UTC)", value: ({ at }) => at },
  { name: "gateway", head: "gateway", value: ({ gateway }) => gateway },
  { name: "number", head: null, value: ({ number: position }) => position },
  { name: "actor", head: "who", value: ({ actor }) => actor },
  { name: "action", head: "did", value: ({ action }) => action },
  { name: "subject", head: "to", value: ({ subject }) => subject },
  { name: "details", head: "how", value: (row) => row.details, text: (row) => JSON.stringify(row.details) },
];

export const command = bothCommand({
  about: "Newest first, those of the probing gateway before those of the peering gateway.",
  options: {
    user: { kind: userKind, meaning: "only what concerns this user: as in vantage admin users show" },
    subject: { kind: text, notWith: ["user"], meaning: "only of this, as agent:west or prefix:192.0.2.0/24" },
    actor: { kind: text, meaning: "only by this one: admin, operator:HASH, agent:west, user:HASH" },
    count: {
      kind: number(1, rowsMax),
      default: auditRowsDefault,
      short: "n",
      meaning: "rows of each gateway",
    },
  },
  arguments: {},
  examples: [
    "vantage admin audit",
    "vantage admin audit --subject agent:west -o json",
    "vantage admin audit --user 'auth0|68a1' -n 1000",
  ],
  act: async (session, { probing, peering }, { user, subject, actor, count: rowsOfEach }) => {
    const output = session.output(columns);
    const hash = user === null ? undefined : await hashOf({ probing, peering }, user);
    const wanted = subject ?? (hash === undefined ? undefined : `user:${hash}`);
    for await (const row of ofProbing(probing, { subject: wanted, actor: actor ?? undefined }, rowsOfEach)) {
      output.add(row);
    }
    // Only users and prefixes have a subject at the peering gateway.
    const query = { user: hash, actor: actor ?? undefined };
    for await (const row of ofPeering(subject === null ? peering : null, query, rowsOfEach)) {
      output.add(row);
    }
    output.finish();
    return exitCodes.ok;
  },
});

async function* ofProbing(
  api: AdminApi | null,
  query: { readonly subject: string | undefined; readonly actor: string | undefined },
  rowsOfEach: number,
): AsyncGenerator<Change> {
  const rows = api?.list("/audit", probingAuditAnswer, {
    query,
    rowsMax: rowsOfEach,
    idOf: (row) => row.audit_id,
  });
  for await (const { audit_id, ...row } of rows ?? []) {
    yield { gateway: "probing", number: audit_id, ...row };
  }
}

async function* ofPeering(
  api: AdminApi | null,
  query: { readonly user: string | undefined; readonly actor: string | undefined },
  rowsOfEach: number,
): AsyncGenerator<Change> {
  const rows = api?.list("/audit", peeringAuditAnswer, {
    query,
    rowsMax: rowsOfEach,
    idOf: (row) => row.number,
  });
  for await (const { user_hash, prefix, ...row } of rows ?? []) {
    const names = [
      ...(user_hash === null ? [] : [`user:${user_hash}`]),
      ...(prefix === null ? [] : [`prefix:${prefix}`]),
    ];
    yield { gateway: "peering", ...row, subject: names.join(" ") };
  }
}
