/** `vantage admin trace`: what happened to a measurement, from what the platform has stored. */
import type * as v from "valibot";
import { traceAnswer } from "../../../lib/base/api/probing-admin.ts";
import { counted, grouped } from "../../../lib/base/terminal/figures.ts";
import type { Column } from "../../../lib/base/terminal/rows-output.ts";
import { timeInWords } from "../../../lib/base/terminal/time-words.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../lib/command/command/gateway/session.ts";
import { kindOf, unfit } from "../../../lib/command/command/kinds.ts";
import { isRequestId } from "../../../lib/net/wire/target-header.ts";
import { AdminApi } from "./admin-api.ts";

type Answer = v.InferOutput<typeof traceAnswer>;
type Traced = Answer["measurements"][number];
type Refusal = Answer["refusals"][number];
type Part = Traced["agents"][number];
type Change = Traced["changes"][number];

const idKind = kindOf("ID", "any", (given) =>
  isRequestId(given)
    ? given
    : unfit("must be the id of a measurement or a request: 8 to 64 letters, digits, _ . -"),
);

const columns: readonly Column<Traced>[] = [
  { name: "measurement_id", head: "measurement", value: (row) => row.measurement_id },
  { name: "request_id", head: "request", value: (row) => row.request_id },
  { name: "user_hash", head: "user", value: (row) => row.user_hash },
  { name: "made_by", head: "program", value: (row) => row.made_by },
  { name: "gateway_id", head: "gateway", value: (row) => row.gateway_id },
  { name: "status", head: "status", value: (row) => row.status },
  timeColumn("started_at", "submitted (UTC)", (row) => row.started_at),
  { name: "published_probes", head: "published", value: (row) => row.published_probes, cell: publishedText },
  timeColumn("published_at", "all published (UTC)", (row) => row.published_at),
  timeColumn("ended_at", "ended (UTC)", (row) => row.ended_at),
  timeColumn("not_after", "expires (UTC)", (row) => row.not_after),
  { name: "stored_probes", head: "probes stored", value: (row) => row.stored_probes },
  { name: "stored_replies", head: "replies stored", value: (row) => row.stored_replies, cell: storedText },
  { name: "store_trouble", head: null, value: (row) => row.store_trouble },
  { name: "probes", head: null, value: (row) => row.probes },
  { name: "rejected", head: null, value: (row) => row.rejected },
  { name: "agents", head: null, value: (row) => row.agents },
  { name: "additions", head: null, value: (row) => row.additions },
  { name: "changes", head: null, value: (row) => row.changes },
];

const partColumns: readonly Column<Part>[] = [
  { name: "agent", head: "agent", value: (row) => row.agent_id },
  { name: "status", head: "status", value: (row) => row.status },
  { name: "sent", head: "sent", align: "right", value: (row) => row.sent_probes },
  { name: "expected", head: "of", align: "right", value: (row) => row.expected_probes },
  { name: "replies", head: "replies", align: "right", value: (row) => row.received_replies },
  { name: "failed", head: "failed", align: "right", value: (row) => row.failed_probes },
  { name: "held", head: "held", align: "right", value: (row) => row.held_probes },
  { name: "refunded", head: "refunded", align: "right", value: (row) => row.credited_probes },
  { name: "updated", head: "last report (UTC)", value: (row) => timeInWords(row.updated_at) },
  {
    name: "error",
    head: "",
    value: ({ error, held_by_host: held }) => error ?? (held && `the agent is ${held}`),
  },
];

const refusalColumns: readonly Column<Refusal>[] = [
  { name: "request_id", head: "request", value: (row) => row.request_id },
  { name: "user_hash", head: "user", value: (row) => row.user_hash },
  { name: "made_by", head: "program", value: (row) => row.made_by },
  { name: "gateway_id", head: "gateway", value: (row) => row.gateway_id },
  { name: "added_to", head: "to add to", value: (row) => row.added_to },
  {
    name: "refused_at",
    head: "refused (UTC)",
    value: (row) => row.refused_at,
    cell: (row) => timeInWords(row.refused_at),
  },
  { name: "status", head: null, value: (row) => row.status },
  {
    name: "code",
    head: "code",
    value: (row) => row.code,
    cell: ({ status, code }) => `${code} (${status})`,
  },
  { name: "reason", head: "reason", value: (row) => row.reason },
];

const changeColumns: readonly Column<Change>[] = [
  { name: "at", head: "when (UTC)", value: ({ at }) => timeInWords(at) },
  { name: "actor", head: "who", value: ({ actor }) => actor },
  { name: "action", head: "did", value: ({ action }) => action },
  { name: "subject", head: "to", value: ({ subject }) => subject },
];

export const command = gatewayCommand({
  about: `From the gateway's database and the store: who submitted it and how, what each agent reported, refusals and \
errors, what operators changed meanwhile, and what is stored; of a refused request the reason, for a week. \
The request's id is in every answer of the gateway \
(X-Request-Id, request_id), in the broker's records, and in the logs of gateways and agents.`,
  options: {},
  arguments: {
    id: {
      kind: idKind,
      required: true,
      meaning: "a measurement's id, or the id of the request that submitted it",
    },
  },
  examples: [
    "vantage admin trace 6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55",
    "vantage admin trace 48f62692-15 -o json",
  ],
  act: async (session, { id }) => {
    const api = await AdminApi.open(session);
    const { measurements, refusals } = await api.read(`/trace/${id}`, traceAnswer);
    if (session.format !== "table") {
      printRows(session, measurements, refusals);
      return exitCodes.ok;
    }
    for (const [i, one] of measurements.entries()) {
      if (i > 0) {
        session.screen.print("");
      }
      printOne(session, one);
    }
    for (const [i, one] of refusals.entries()) {
      if (i + measurements.length > 0) {
        session.screen.print("");
      }
      session.printRecord(refusalColumns, one);
    }
    return exitCodes.ok;
  },
});

/** Rows of measurements, with what else was refused under the id; of a request that only was refused, that. */
function printRows(
  session: GatewaySession,
  measurements: readonly Traced[],
  refusals: readonly Refusal[],
): void {
  if (measurements.length === 0) {
    session.printRows(refusalColumns, refusals);
  } else {
    session.printRows([...columns, { name: "refusals", head: null, value: () => refusals }], measurements);
  }
}

function printOne(session: GatewaySession, traced: Traced): void {
  const { screen } = session;
  session.printRecord(columns, traced);
  screen.print("");
  session.printRows(partColumns, traced.agents);
  for (const { id, reason } of traced.rejected) {
    screen.print(`${id} did not take part: ${reason}`);
  }
  for (const { request_id: request, probes, started_at: at } of traced.additions) {
    screen.print(
      `${counted(probes, "probe")} added ${timeInWords(at)} UTC by request ${request ?? "unknown"}`,
    );
  }
  if (traced.changes.length > 0) {
    screen.print("");
    session.printRows(changeColumns, traced.changes);
  }
}

function timeColumn(name: string, head: string, timeOf: (row: Traced) => string | null): Column<Traced> {
  return { name, head, value: timeOf, cell: (row) => timeInWords(timeOf(row)) };
}

function publishedText({ published_probes: published, probes }: Traced): string {
  return `${grouped(published)} of ${grouped(probes)} probes for each source`;
}

function storedText({ stored_replies: stored, store_trouble: trouble, agents }: Traced): string {
  const received = agents.reduce((sum, { received_replies: count }) => sum + count, 0);
  return stored === null
    ? `unknown: ${trouble ?? ""}`
    : `${grouped(stored)} of ${grouped(received)} reported`;
}
