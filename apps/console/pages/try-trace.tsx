/** @jsxImportSource hono/jsx */
/**
 * A one-line form for a trace: agent and destination. Resolving the destination changes nothing, so the form's content
 * is in the page's address; the cost is shown before it runs.
 */
import { limitsAnswer } from "../../../lib/base/api/users.ts";
import { grouped } from "../../../lib/base/terminal/figures.ts";
import { familyOf, parseAddress } from "../../../lib/net/ip/address.ts";
import type { Visit } from "../page.ts";
import { Choice, Field } from "../parts/field.tsx";

/** The default of `vantage trace`: most paths are shorter. */
const hops = 30;
/** One flow, so that per-flow load balancers show one path. */
const flow = { sourcePort: 24_000, destinationPort: 33_434 } as const;

const protocols = { udp: "UDP", icmp: "ICMP", tcp: "TCP" } as const;
type ProtocolChoice = keyof typeof protocols;

interface TraceProps {
  readonly visit: Visit;
  /** Ids of available agents. */
  readonly agents: readonly string[];
}

export async function TryTrace({ visit, agents }: TraceProps) {
  const { query } = visit;
  const protocol = protocolOf(query.get("protocol"));
  const options = Object.fromEntries(agents.map((id) => [id, id]));
  return (
    <section aria-labelledby="trace-title">
      <h2 id="trace-title">Trace</h2>
      <form class="row" method="get" action="/console">
        <Choice label="From" name="from" value={query.get("from") ?? ""} options={options} />
        <Field label="To (IP address)" name="to" value={query.get("to")} isRequired grows hint="192.0.2.1" />
        <Choice label="With" name="protocol" value={protocol} options={protocols} />
        <button type="submit">Trace</button>
      </form>
      {query.has("to") ? await Order({ visit, agents, protocol }) : null}
    </section>
  );
}

interface OrderProps extends TraceProps {
  readonly protocol: ProtocolChoice;
}

async function Order({ visit, agents, protocol }: OrderProps) {
  const to = visit.query.get("to")?.trim() ?? "";
  const from = visit.query.get("from") ?? "";
  const address = parseAddress(to);
  if (address === null) {
    return (
      <p class="bad">{`Cannot trace to "${to}": give an IPv4 or IPv6 address; a name must be looked up first.`}</p>
    );
  }
  if (!agents.includes(from)) {
    return <p class="bad">{`Cannot trace from "${from}": choose one of the agents that are online.`}</p>;
  }
  if (visit.person === null) {
    return <p>{`${cost(protocol, from, to)} Log in to run it.`}</p>;
  }
  const { probes_per_day: day } = await visit.api.get("/api/limits", limitsAnswer);
  return (
    <form
      class="card"
      data-call="POST /api/probes?name={name}&tags={tags}&note={note}"
      data-body={JSON.stringify(bodyOf({ from, to, protocol: wireName(protocol, familyOf(address)) }))}
      data-then="/console/measurements/{id}"
    >
      <p>
        {cost(protocol, from, to)} {`You have ${grouped(day.remaining)} of ${grouped(day.limit)} left today.`}
      </p>
      <div class="row">
        <Field label="Name" name="name" hint="optional" />
        <Field label="Tags" name="tags" hint="with commas" />
        <Field label="Note" name="note" grows />
      </div>
      <button type="submit" class="main">
        Start trace
      </button>
    </form>
  );
}

function cost(protocol: ProtocolChoice, from: string, to: string): string {
  return `${hops} ${protocols[protocol]} probes from ${from} to ${to}, one for each hop, cost ${hops} probes.`;
}

interface TraceOrder {
  readonly from: string;
  readonly to: string;
  readonly protocol: string;
}

function bodyOf({ from, to, protocol }: TraceOrder) {
  const probes = Array.from({ length: hops }, (_, i) => [
    ...[to, flow.sourcePort, flow.destinationPort],
    ...[i + 1, protocol],
  ]);
  return { metadata: [{ id: from }], probes };
}

function protocolOf(text: string | null): ProtocolChoice {
  return text === "icmp" || text === "tcp" ? text : "udp";
}

function wireName(protocol: ProtocolChoice, version: 4 | 6): string {
  return protocol === "icmp" && version === 6 ? "icmpv6" : protocol;
}
