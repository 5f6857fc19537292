/** Paths of some raw rows, in plain TypeScript (oracle.ts). */
import { type Cell, cellsOf, compareAddress, compareText, groups, probesOf, sum } from "./oracle.ts";
import { isEcho, knownRttMs, type RawReply, type RawRows } from "./raw-rows.ts";

const protocols: Readonly<Record<number, string>> = { 1: "icmp", 6: "tcp", 17: "udp", 58: "icmpv6" };

export function expectedPaths(rows: RawRows) {
  return [
    ...groups(cellsOf(rows), ({ agent, destination, protocol }) => `${agent} ${destination} ${protocol}`),
  ]
    .map(([, cells]) => pathOf(cells))
    .sort(
      (a, b) =>
        compareAddress(a.address, b.address) || compareText(a.agent, b.agent) || a.protocol - b.protocol,
    )
    .map(({ protocol, ...path }) => ({ ...path, protocol: protocols[protocol] }));
}

function pathOf(all: readonly Cell[]) {
  const cells = all.map((cell) => ({ ...cell, hits: probesOf(cell.replies).length }));
  const { agent = "", destination = "", protocol = 0 } = cells[0] ?? {};
  const flows = [...groups(cells, ({ srcPort, dstPort }) => `${srcPort} ${dstPort}`).values()]
    .map((own) => ({ own, end: endOf(own), src: own[0]?.srcPort ?? 0, dst: own[0]?.dstPort ?? 0 }))
    .sort((a, b) => a.src - b.src || a.dst - b.dst);
  const submitted = sum(cells.map(({ sent, hits }) => (sent === 0 ? hits : sent)));
  const answered = sum(cells.map(({ sent, hits }) => (sent === 0 ? hits : Math.min(sent, hits))));
  const duplicates = sum(cells.map(({ replies, hits }) => replies.length - hits));
  const last = flows.every(({ end }) => end !== null)
    ? Math.max(...flows.map(({ end }) => end ?? 0))
    : Math.max(0, ...cells.filter(({ replies }) => replies.length > 0).map(({ ttl }) => ttl));
  const first = Math.min(...cells.map(({ ttl }) => ttl));
  const ttls = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  return {
    ...{ agent, address: destination, protocol },
    flows: flows.map(({ src, dst, end }) => ({ src_port: src, dst_port: dst, end_ttl: end })),
    reached: cells.some(({ replies }) => replies.some((one) => one.from === destination || isEcho(one))),
    probes: { submitted, answered, lost: submitted - answered, duplicates },
    hops: ttls.map((ttl) => ({ ttl, routers: routersOf(flows, ttl) })),
  };
}

interface Flow {
  readonly own: readonly Cell[];
  readonly end: number | null;
}

function endOf(cells: readonly Cell[]): number | null {
  const ttls = cells.filter(({ replies }) => replies.some(isEnd)).map(({ ttl }) => ttl);
  return ttls.length === 0 ? null : Math.min(...ttls);
}

function isEnd({ from, destination, replyProtocol, icmpType }: RawReply): boolean {
  return (
    from === destination ||
    isEcho({ replyProtocol, icmpType }) ||
    (replyProtocol === 1 && icmpType === 3) ||
    (replyProtocol === 58 && icmpType === 1)
  );
}

interface Found {
  readonly flow: number;
  readonly replies: readonly RawReply[];
  readonly lost: number;
}

function routersOf(flows: readonly Flow[], ttl: number) {
  const found = new Map<string, Found[]>();
  for (const [flow, { own, end }] of flows.entries()) {
    const cell = own.find((one) => one.ttl === ttl);
    if (cell === undefined || (end !== null && ttl > end)) {
      continue;
    }
    const routers = [...groups(cell.replies, ({ from }) => from)].sort(
      ([a, x], [b, y]) => probesOf(y).length - probesOf(x).length || compareAddress(a, b),
    );
    const isOpenPort = cell.replies.some(
      ({ replyProtocol, icmpCode }) => replyProtocol === 6 && (icmpCode & 4) === 0,
    );
    const lost = isOpenPort ? 0 : Math.max(0, cell.sent - probesOf(cell.replies).length);
    for (const [i, [from, replies]] of (routers.length === 0 ? [["", []] as const] : routers).entries()) {
      const one = { flow, replies, lost: i === 0 ? lost : 0 };
      found.set(from, [...(found.get(from) ?? []), one]);
    }
  }
  const nodes = [...found].sort(
    ([a, x], [b, y]) =>
      (x[0]?.flow ?? 0) - (y[0]?.flow ?? 0) ||
      Number(a === "") - Number(b === "") ||
      (a === "" ? 0 : compareAddress(a, b)),
  );
  return nodes.length === 0 ? [routerOf("", [])] : nodes.map(([from, own]) => routerOf(from, own));
}

function routerOf(from: string, found: readonly Found[]) {
  const replies = found.flatMap((one) => one.replies);
  const answered = sum(found.map((one) => probesOf(one.replies).length));
  const probes = answered + sum(found.map(({ lost }) => lost));
  const byTime = [...replies].sort((a, b) => (a.timeNs < b.timeNs ? -1 : 1));
  return {
    address: from === "" ? null : from,
    flows: found.map(({ flow }) => flow),
    ...{ probes, answered },
    loss_percent: probes === 0 ? 0 : (100 * (probes - answered)) / probes,
    ...rttFigures(found.map((one) => one.replies.map(knownRttMs))),
    mpls_labels: (byTime.findLast(({ labels }) => labels.length > 0)?.labels ?? []).map(
      ({ bottomOfStack, ...label }) => ({ ...label, bottom_of_stack: bottomOfStack }),
    ),
  };
}

/** Takes milliseconds, those of each flow in the order of their receipt. */
function rttFigures(flows: readonly (readonly (number | null)[])[]) {
  const known = flows.map((flow) => flow.filter((rtt) => rtt !== null));
  const all = known.flat().sort((a, b) => a - b);
  const steps = known.flatMap((flow) => flow.slice(1).map((rtt, i) => Math.abs(rtt - (flow[i] ?? 0))));
  const mean = sum(all) / all.length;
  const figure = (value: number) => (all.length === 0 ? null : value);
  const quantile = (part: number) => {
    const place = part * (all.length - 1);
    const [low = 0, high = 0] = [all[Math.floor(place)], all[Math.ceil(place)]];
    return figure(low + (place % 1) * (high - low));
  };
  return {
    rtt_min_ms: figure(all[0] ?? 0),
    rtt_p10_ms: quantile(0.1),
    rtt_median_ms: quantile(0.5),
    rtt_p90_ms: quantile(0.9),
    rtt_max_ms: figure(all.at(-1) ?? 0),
    rtt_mean_ms: figure(mean),
    rtt_standard_deviation_ms: figure(Math.sqrt(sum(all.map((rtt) => (rtt - mean) ** 2)) / all.length)),
    rtt_jitter_ms: steps.length === 0 ? null : sum(steps) / steps.length,
    // All of them; the store has 100 of more, drawn by lot.
    rtt_samples_ms: all,
  };
}
