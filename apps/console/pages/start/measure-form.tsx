/** @jsxImportSource hono/jsx */
/**
 * The form for a trace or a ping: targets, agents, protocol. The script of the page looks names up at the gateway, says
 * what it costs, and submits the probes (client/measure.ts).
 */
import { limitsAnswer } from "../../../../lib/base/api/users.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import { dnsQuestions } from "../../../../lib/net/packet/dns-question.ts";
import { ecnNames } from "../../../../lib/net/packet/traffic-class.ts";
import type { Visit } from "../../page.ts";
import { Choice, Field, FileField, Targets, Tick } from "../../parts/field.tsx";
import { loginAddress } from "../../parts/links.tsx";
import { presetOf } from "../../parts/preset.ts";

const protocols = { udp: "UDP", icmp: "ICMP", tcp: "TCP" } as const;
const ecns = { "": "not-ect", ...Object.fromEntries(ecnNames.slice(1).map((name) => [name, name])) };
const questions = { "": "no", ...Object.fromEntries(dnsQuestions.map((name) => [name, name])) };
/** With fewer, all are offered instead of some. */
const fewAgents = 3;

interface MeasureFormProps {
  readonly visit: Visit;
  readonly agents: readonly OfferedAgent[];
}

interface OfferedAgent {
  readonly id: string;
  readonly tags: readonly string[];
}

export async function MeasureForm({ visit, agents }: MeasureFormProps) {
  const given = await presetOf(visit);
  const ids = agents.map(({ id }) => id);
  const preset = ids.length < fewAgents ? ids.join(",") : `${fewAgents}@any`;
  const tags = [...new Set(agents.flatMap((agent) => agent.tags))].toSorted();
  return (
    <section aria-labelledby="measure-title">
      <h2 id="measure-title">Measure</h2>
      <form data-measure="">
        <div class="row">
          <Targets value={given.to} />
          <Field label="From" name="from" value={given.from ?? preset} isRequired list="sources" />
          <Choice label="With" name="protocol" value={given.protocol ?? "udp"} options={protocols} />
          <Actions visit={visit} />
        </div>
        <datalist id="sources">
          {[...ids, `${fewAgents}@any`, ...tags.map((tag) => `tag:${tag}`)].map((one) => (
            <option value={one} />
          ))}
        </datalist>
        <p class="soft" data-cost="" aria-live="polite">
          {given.lacks} {await Quota({ visit })}
        </p>
        <details id="measure-more">
          <summary>More options</summary>
          <div class="row">
            <Field label="Flows of a trace" name="flows" type="number" value="8" />
            <Field label="Hops of a trace" name="hops" type="number" value="30" />
            <Field label="Pings" name="pings" type="number" value="10" />
            <Field label="Name" name="name" hint="optional" />
            <Field label="Tags" name="tags" hint="with commas" />
            <Field label="Note" name="note" grows />
          </div>
          <Shape />
        </details>
      </form>
      {visit.person === null ? null : <ProbesForm from={given.from ?? preset} />}
    </section>
  );
}

/** What the probes look like, as POST /api/probes has it; agents that cannot send them so are rejected. */
function Shape() {
  return (
    <>
      <div class="row">
        <Field label="Size (bytes, from 314)" name="size" type="number" hint="shortest" />
        <Field label="DSCP" name="dscp" hint="EF, AF41, 0 to 63" />
        <Choice label="ECN" name="ecn" value="" options={ecns} />
        <Field label="IPv6 flow label" name="flow_label" type="number" hint="one per flow" />
        <Choice label="Ask name servers" name="dns" value="" options={questions} />
      </div>
      <div class="row">
        <Tick label="Don't fragment (IPv4)" name="df" />
        <Tick label="Record packets (operators grant it)" name="record_packets" />
        <span class="soft">Name servers are asked by agents whose operators allow it.</span>
      </div>
    </>
  );
}

/** Probe lines of any kind, as `vantage probes` writes them. */
function ProbesForm({ from }: { readonly from: string }) {
  return (
    <details id="send-probes">
      <summary>Send a file of probes</summary>
      <form data-upload="probes">
        <div class="row">
          <FileField label="Probe lines" name="file" accept="text/csv,text/plain,.csv,.txt" isRequired />
          <Field label="From" name="from" value={from} isRequired list="sources" />
          <Field label="Name" name="name" hint="optional" />
          <Field label="Tags" name="tags" hint="with commas" />
          <Field label="Note" name="note" grows />
          <button type="submit">Send probes</button>
        </div>
        <p class="soft">
          A line is <code>dst,src_port,dst_port,ttl,protocol</code>. By the command line:{" "}
          <code>vantage send -a west probes.csv</code>
        </p>
      </form>
    </details>
  );
}

function Actions({ visit }: { readonly visit: Visit }) {
  return visit.person === null ? (
    <a class="button" href={loginAddress(visit)}>
      Log in to measure
    </a>
  ) : (
    <>
      <button type="submit" class="main" value="trace">
        Trace
      </button>
      <button type="submit" value="ping">
        Ping
      </button>
    </>
  );
}

/** What the script puts the cost before. */
async function Quota({ visit }: { readonly visit: Visit }) {
  if (visit.person === null) {
    return "A trace of 8 flows and 30 hops costs 240 probes for each target and agent.";
  }
  const { probes_per_day: day } = await visit.api.get("/api/limits", limitsAnswer);
  const left = `${grouped(day.remaining)} of ${grouped(day.limit)} probes left today.`;
  return (
    <>
      <span data-cost-text="" /> You have {left}
    </>
  );
}
