/** All submitted probes of a measurement, page by page, and their columns. */
import { formatAddress } from "../../../lib/ip/address.ts";
import { protocolText } from "../../../lib/results/protocol-text.ts";
import {
  beforeProbes,
  placeOf,
  readProbePage,
  type SubmittedProbe,
} from "../../../lib/store/clickhouse/probe-page.ts";
import type { ReplyFilter } from "../../../lib/store/clickhouse/reply-filter.ts";
import type { Column } from "../../../lib/terminal/rows-output.ts";
import type { Services } from "../services.ts";
import { pageRows } from "./limits.ts";

export interface ProbeOrder {
  readonly filter: ReplyFilter;
  /** Null = all. */
  readonly limit: number | null;
  readonly countReplies: boolean;
}

/** Rejects with StoreError. */
export async function* probePages(
  { store }: Pick<Services, "store">,
  { filter, limit, countReplies }: ProbeOrder,
): AsyncGenerator<readonly SubmittedProbe[], void, undefined> {
  let [after, left] = [beforeProbes, limit ?? Number.POSITIVE_INFINITY];
  while (left > 0) {
    const query = { filter, after, rows: Math.min(left, pageRows), countReplies };
    const page = await store.ask((open) => readProbePage(open, query));
    const last = page.at(-1);
    if (last === undefined) {
      return;
    }
    yield page;
    left -= page.length;
    after = placeOf(last);
  }
}

export function probeColumns(countReplies: boolean): readonly Column<SubmittedProbe>[] {
  return [
    column("probe_index", ({ index }) => index),
    column("time_submitted", ({ submittedMs }) => new Date(submittedMs).toISOString()),
    column("agent_id", ({ agent }) => agent),
    column("probe_src_addr", ({ source }) =>
      source.every((byte) => byte === 0) ? null : formatAddress(source),
    ),
    column("probe_dst_addr", ({ destination }) => formatAddress(destination)),
    column("probe_protocol", ({ protocol }) => protocolText(protocol)),
    column("probe_src_port", ({ srcPort }) => srcPort),
    column("probe_dst_port", ({ dstPort }) => dstPort),
    column("probe_ttl", ({ ttl }) => ttl),
    ...(countReplies ? [column("replies", ({ replies }) => replies)] : []),
  ];
}

function column(name: string, value: (probe: SubmittedProbe) => unknown): Column<SubmittedProbe> {
  return { name, head: null, value };
}
