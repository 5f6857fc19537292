/** A path as the store knows it: its cells, gathered for one agent, target and protocol. Pure. */
import { type Address, sameAddress } from "../ip/address.ts";
import { ianaNumber, type Protocol, protocols } from "../packet/probe.ts";
import { kindOf, type Outcome, Path } from "../paths/path.ts";
import type { PathAnswer, PathCell } from "../store/clickhouse/paths-query.ts";
import { cellRepliesMax } from "./limits.ts";

export interface Flow {
  readonly srcPort: number;
  readonly dstPort: number;
}

export interface StoredPath {
  readonly agent: string;
  readonly target: Address;
  readonly protocol: Protocol;
  /** In the order of their ports; a flow of `path` is an index of them. */
  readonly flows: readonly Flow[];
  readonly firstTtl: number;
  readonly path: Path;
}

/** Paths, each when its last cell has come; cells must come by agent, target and protocol. */
export async function* storedPaths(
  cells: AsyncIterable<PathCell>,
): AsyncGenerator<StoredPath, void, undefined> {
  let own: PathCell[] = [];
  for await (const cell of cells) {
    if (own[0] !== undefined && !isOfPath(own[0], cell)) {
      yield toPath(own[0], own);
      own = [];
    }
    own.push(cell);
  }
  if (own[0] !== undefined) {
    yield toPath(own[0], own);
  }
}

function isOfPath(a: PathCell, b: PathCell): boolean {
  return a.agent === b.agent && a.protocol === b.protocol && sameAddress(a.target, b.target);
}

function toPath(first: PathCell, cells: readonly PathCell[]): StoredPath {
  const flows = new Map<string, Flow>();
  for (const { srcPort, dstPort } of [...cells].sort(
    (a, b) => a.srcPort - b.srcPort || a.dstPort - b.dstPort,
  )) {
    flows.set(`${srcPort} ${dstPort}`, { srcPort, dstPort });
  }
  const indexes = new Map([...flows.keys()].map((name, i) => [name, i]));
  const path = new Path(first.target, flows.size);
  for (const cell of cells) {
    record(path, indexes.get(`${cell.srcPort} ${cell.dstPort}`) ?? 0, cell);
  }
  return {
    agent: first.agent,
    target: first.target,
    protocol: protocols.find((protocol) => ianaNumber[protocol] === first.protocol) ?? "udp",
    flows: [...flows.values()],
    firstTtl: cells.reduce((lowest, { ttl }) => Math.min(lowest, ttl), 255),
    path,
  };
}

/** Where the submission is not in the store, a probe is known by its answer alone. */
function record(path: Path, flow: number, { ttl, sent, answers }: PathCell): void {
  const outcomes = answers.flatMap(outcomesOf);
  const lost = Math.max(0, Math.min(sent, cellRepliesMax) - outcomes.length);
  for (const outcome of [...outcomes, ...Array.from({ length: lost }, () => "lost" as const)]) {
    path.markSent(flow, ttl);
    path.record(flow, ttl, outcome);
  }
}

function outcomesOf({ from, labels, rttsMs, replies, ...answer }: PathAnswer): Outcome[] {
  const kind = kindOf({
    replyProtocol: answer.replyProtocol,
    replyIcmpType: answer.icmpType,
    replyIcmpCode: answer.icmpCode,
  });
  const count = Math.min(replies, cellRepliesMax);
  return Array.from({ length: count }, (_, i) => ({ from, labels, kind, rttMs: rttsMs[i] ?? null }));
}
