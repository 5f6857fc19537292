/** @jsxImportSource hono/jsx */
/** A measurement's packets, as its agents sent and captured them: a file for each agent and interface. */
import * as v from "valibot";
import { packetFileAnswer } from "../../../../lib/base/api/measurements.ts";
import { grouped, sizeText } from "../../../../lib/base/terminal/figures.ts";
import type { Visit } from "../../page.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";

type PacketFile = v.InferOutput<typeof packetFileAnswer>;

interface PacketsProps {
  readonly visit: Visit;
  /** The measurement's id. */
  readonly id: string;
}

/** Null = none were recorded, or they have not arrived yet. */
export async function Packets({ visit, id }: PacketsProps) {
  const at = `/api/measurements/${id}/packets`;
  const files = await visit.api.get(at, v.array(packetFileAnswer));
  return files.length === 0 ? null : (
    <section id="packets" aria-labelledby="packets-title">
      <h2 id="packets-title">Packets</h2>
      <Table caption="Packets by agent and interface" columns={columns(at)} rows={files} none="" />
      <p class="soft">
        By the command line: <code>{`vantage packets ${id} --out packets`}</code>
      </p>
    </section>
  );
}

function columns(at: string): Column<PacketFile>[] {
  return [
    {
      head: "File",
      isName: true,
      cell: ({ agent_id: agent, interface: name }) => (
        <a
          href={`/console/call${at}/${encodeURIComponent(agent)}/${encodeURIComponent(name)}`}
          download={`${agent}.${name}.pcap`.replaceAll("/", "_")}
        >
          {`${agent}.${name}.pcap`}
        </a>
      ),
    },
    { head: "Sent", isFigure: true, cell: ({ sent_packets: count }) => grouped(count) },
    { head: "Received", isFigure: true, cell: ({ heard_packets: count }) => grouped(count) },
    { head: "Left out", isFigure: true, cell: ({ left_out_packets: count }) => grouped(count) },
    { head: "Size", isFigure: true, cell: ({ size_bytes: bytes }) => sizeText(bytes) },
    { head: "Kept until", cell: ({ expires_at: at }) => <Time at={at} /> },
  ];
}
