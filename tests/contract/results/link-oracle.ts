/** Links and nodes of some raw rows, in plain TypeScript: flow by flow, hop by hop (oracle.ts). */
import { type Cell, cellsOf, compareAddress, groups, probesOf, rowsOfMeasurement, sum } from "./oracle.ts";
import { isEcho, knownRttMs, type RawReply, type RawRows, timeText } from "./raw-rows.ts";

interface Hop {
  readonly ttl: number;
  /** Null: asked, and silent. */
  readonly router: string | null;
  readonly firstNs: bigint;
  /** The first answer of `known` to the flow. */
  readonly knownNs: bigint;
  /** The last router before a silent one, else the router. */
  readonly known: string;
}

interface Flow {
  readonly agent: string;
  readonly destination: string;
  /** From the first to the last answer. */
  readonly hops: readonly Hop[];
  /** Cells up to where the flow ends. */
  readonly cells: readonly Cell[];
}

/** Flows of each measurement on its own. */
function flowsOf(rows: RawRows): Flow[] {
  const measurements = new Set([...rows.probes, ...rows.replies].map(({ measurement }) => measurement));
  return [...measurements].flatMap((measurement) => {
    const cells = cellsOf(rowsOfMeasurement(rows, measurement));
    const keyOf = ({ agent, destination, protocol, srcPort, dstPort }: Cell) =>
      [agent, destination, protocol, srcPort, dstPort].join();
    return [...groups(cells, keyOf).values()].map(flowOf);
  });
}

function flowOf(all: readonly Cell[]): Flow {
  const { agent = "", destination = "" } = all[0] ?? {};
  const ends = all.filter(({ replies }) => replies.some(isEnd)).map(({ ttl }) => ttl);
  const cells = all.filter(({ ttl }) => ttl <= Math.min(...ends, 255)).sort((a, b) => a.ttl - b.ttl);
  const hops: Hop[] = [];
  let [known, knownNs] = ["", 0n];
  for (const { ttl, replies } of cells) {
    const [most] = [...groups(replies, ({ from }) => from)].sort(
      ([a, x], [b, y]) => probesOf(y).length - probesOf(x).length || compareAddress(a, b),
    );
    const firstNs = most?.[1][0]?.timeNs ?? 0n;
    [known, knownNs] = most === undefined ? [known, knownNs] : [most[0], firstNs];
    hops.push({ ttl, router: most?.[0] ?? null, firstNs, known, knownNs });
  }
  const first = hops.findIndex(({ router }) => router !== null);
  const last = hops.findLastIndex(({ router }) => router !== null);
  return { agent, destination, cells, hops: first < 0 ? [] : hops.slice(first, last + 1) };
}

function isEnd({ from, destination, replyProtocol, icmpType }: RawReply): boolean {
  const unreachable: Readonly<Record<number, number>> = { 1: 3, 58: 1 };
  return (
    from === destination || isEcho({ replyProtocol, icmpType }) || unreachable[replyProtocol] === icmpType
  );
}

interface Step {
  readonly flow: Flow;
  readonly near: Hop;
  readonly far: Hop;
  readonly after: string | null;
}

function stepsOf(flow: Flow): Step[] {
  return flow.hops.flatMap((near, i) => {
    const far = flow.hops[i + 1];
    if (
      far === undefined ||
      far.ttl !== near.ttl + 1 ||
      (near.router !== null && near.router === far.router)
    ) {
      return [];
    }
    return [{ flow, near, far, after: near.router === null || far.router === null ? near.known : null }];
  });
}

const text = (address: string | null) => address ?? "::";

export function expectedLinks(rows: RawRows) {
  return grouped(flowsOf(rows).flatMap(stepsOf)).map(({ own, place }) => ({
    ...{ ...place, flows: own.length },
    destinations: new Set(own.map(({ flow }) => flow.destination)).size,
    ...seenOf(own),
  }));
}

function seenOf(own: readonly Step[]) {
  const times = own.map(({ near, far }) => laterOf(near.knownNs, far.firstNs));
  return {
    agents: new Set(own.map(({ flow }) => flow.agent)).size,
    first_seen: timeText([...times].sort(byValue)[0] ?? 0n),
  };
}

function byValue(a: bigint, b: bigint): number {
  return Number(a - b);
}

function laterOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** `before` are the rows that those are compared with. */
export function expectedChangedLinks(rows: RawRows, before: RawRows) {
  const [now, then] = [rows, before].map((one) => new Set(flowsOf(one).flatMap(stepsOf)));
  const destinations = (steps: readonly Step[]) => new Set(steps.map(({ flow }) => flow.destination)).size;
  return grouped([...(now ?? []), ...(then ?? [])]).map(({ own, place }) => {
    const [newer, older] = [now, then].map((side) => own.filter((step) => side?.has(step)));
    const [flows, flowsBefore] = [newer?.length ?? 0, older?.length ?? 0];
    return {
      state: flowsBefore === 0 ? "appeared" : flows === 0 ? "gone" : "both",
      ...{
        ...place,
        flows,
        destinations: destinations(newer ?? []),
        ...seenOf(own),
        flows_before: flowsBefore,
      },
      destinations_before: destinations(older ?? []),
    };
  });
}

/** By link, in the order of rows. */
function grouped(steps: readonly Step[]) {
  const keyOf = ({ near, far, after }: Step) =>
    [near.router, far.router, after, after === null ? 0 : near.ttl].join();
  return [...groups(steps, keyOf).values()]
    .flatMap((own) => {
      const [first] = own;
      const ttls = own.map(({ near }) => near.ttl);
      return first === undefined
        ? []
        : [
            {
              own,
              place: {
                ...{ near_ttl: Math.min(...ttls), near_ttl_max: Math.max(...ttls) },
                ...{ near_addr: first.near.router, far_addr: first.far.router, silent_after: first.after },
              },
            },
          ];
    })
    .sort(
      ({ place: a }, { place: b }) =>
        a.near_ttl - b.near_ttl ||
        compareAddress(text(a.near_addr), text(b.near_addr)) ||
        compareAddress(text(a.far_addr), text(b.far_addr)) ||
        compareAddress(text(a.silent_after), text(b.silent_after)),
    );
}

export function expectedNodes(rows: RawRows) {
  const flows = flowsOf(rows);
  const heard = flows.flatMap((flow) =>
    flow.cells.flatMap(({ ttl, replies }) =>
      [...groups(replies, ({ from }) => from)].map(([router, own]) => ({ flow, ttl, router, own })),
    ),
  );
  const silent = flows.flatMap((flow) =>
    flow.hops.flatMap((hop) => (hop.router === null ? [{ flow, ttl: hop.ttl, after: hop.known }] : [])),
  );
  const silentNodes = [...groups(silent, ({ ttl, after }) => `${ttl} ${after}`).values()].map((own) => ({
    ...placeOf(own, null, own[0]?.after ?? null),
    ...{ answers: 0, rtt_min_ms: null, rtt_median_ms: null, rtt_max_ms: null, mpls_labels: [] },
    ...{ is_destination: false, first_seen: null, last_seen: null },
  }));
  const routers = [...groups(heard, ({ router }) => router)].map(([router, own]) => ({
    ...placeOf(own, router, null),
    ...answersOf(
      router,
      own.flatMap((one) => one.own),
    ),
  }));
  return [...routers, ...silentNodes].sort(
    (a, b) =>
      a.ttl - b.ttl ||
      compareAddress(text(a.address), text(b.address)) ||
      compareAddress(text(a.silent_after), text(b.silent_after)),
  );
}

/** What most flows passed stands first. */
export function expectedGraph(rows: RawRows) {
  const silentId = (ttl: number, after: string | null) => `silent ${ttl} after ${after}`;
  const byFlows = (a: { flows: number }, b: { flows: number }) => b.flows - a.flows;
  const nodes = expectedNodes(rows)
    .sort(byFlows)
    .map((node) => ({ id: node.address ?? silentId(node.ttl, node.silent_after), ...node }));
  const links = expectedLinks(rows)
    .sort(byFlows)
    .map(({ near_addr: near, far_addr: far, silent_after: after, ...link }) => ({
      from: near ?? silentId(link.near_ttl, after),
      to: far ?? silentId(link.near_ttl + 1, after),
      ...link,
    }));
  const silent_count = nodes.filter(({ address }) => address === null).length;
  const routers = nodes.flatMap(({ id, address, is_destination }) =>
    address === null || is_destination ? [] : [id],
  );
  const router_link_count = links.filter(
    (one) => routers.includes(one.from) && routers.includes(one.to),
  ).length;
  const counts = { node_count: nodes.length, silent_count, link_count: links.length, router_link_count };
  return nodes.length === 0 ? [] : [{ ...counts, is_cut: false, nodes, links }];
}

interface Met {
  readonly flow: Flow;
  readonly ttl: number;
}

function placeOf(met: readonly Met[], address: string | null, after: string | null) {
  const ttls = met.map(({ ttl }) => ttl);
  return {
    ...{ ttl: Math.min(...ttls), ttl_max: Math.max(...ttls), address, silent_after: after },
    flows: new Set(met.map(({ flow }) => flow)).size,
    destinations: new Set(met.map(({ flow }) => flow.destination)).size,
    agents: new Set(met.map(({ flow }) => flow.agent)).size,
  };
}

function answersOf(router: string, replies: readonly RawReply[]) {
  const byTime = [...replies].sort((a, b) => (a.timeNs < b.timeNs ? -1 : 1));
  const rtts = replies
    .map(knownRttMs)
    .filter((rtt) => rtt !== null)
    .sort((a, b) => a - b);
  const middle = (rtts.length - 1) / 2;
  const median = sum([rtts[Math.floor(middle)] ?? 0, rtts[Math.ceil(middle)] ?? 0]) / 2;
  const figure = (value: number | undefined) => (rtts.length === 0 ? null : value);
  return {
    answers: replies.length,
    rtt_min_ms: figure(rtts[0]),
    rtt_median_ms: figure(median),
    rtt_max_ms: figure(rtts.at(-1)),
    mpls_labels: (byTime.findLast(({ labels }) => labels.length > 0)?.labels ?? []).map(
      ({ bottomOfStack, ...label }) => ({ ...label, bottom_of_stack: bottomOfStack }),
    ),
    is_destination: replies.some(({ destination }) => destination === router),
    first_seen: timeText(byTime[0]?.timeNs ?? 0n),
    last_seen: timeText(byTime.at(-1)?.timeNs ?? 0n),
  };
}
