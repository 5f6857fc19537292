/** `vantage packets`: packets that agents sent and received for a measurement, as pcap files. */
import { join } from "node:path";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import {
  type PacketFileAnswer,
  PacketFiles,
  packetFileName,
} from "../../../../lib/command/command/gateway/packet-files.ts";
import { folder } from "../../../../lib/command/command/kinds.ts";
import { measurementArgument, wholeId } from "./measurement-id.ts";

interface Row extends PacketFileAnswer {
  readonly measurement_id: string;
  /** Null when it was not fetched. */
  readonly file: string | null;
}

function figure(
  name: "sent_packets" | "heard_packets" | "left_out_packets" | "size_bytes",
  head: string,
): Column<Row> {
  return { name, head, value: (row) => row[name], cell: (row) => grouped(row[name]), align: "right" };
}

const columns: readonly Column<Row>[] = [
  { name: "measurement_id", head: null, value: (row) => row.measurement_id },
  { name: "agent", head: "agent", value: (row) => row.agent_id },
  { name: "interface", head: "interface", value: (row) => row.interface },
  figure("sent_packets", "sent"),
  figure("heard_packets", "received"),
  figure("left_out_packets", "left out"),
  figure("size_bytes", "bytes"),
  { name: "stored_at", head: null, value: (row) => row.stored_at },
  {
    name: "expires_at",
    head: "until",
    value: (row) => row.expires_at,
    cell: (row) => row.expires_at.slice(0, 16),
  },
  { name: "file", head: "file", value: (row) => row.file },
];

export const command = gatewayCommand({
  about: `For measurements that requested it: vantage send --record-packets. An agent uploads what it recorded \
some 10 s after its last probe; the gateway has it for a week.`,
  options: {
    out: { kind: folder, meaning: "fetch them into this folder: a file for each agent and interface" },
  },
  arguments: measurementArgument,
  examples: [
    "vantage packets last",
    "vantage packets last --out packets && tcpdump -nr packets/west.eth0.pcap",
  ],
  act: async (session, { id, out }) => {
    const gateway = await session.open();
    const { signal } = session;
    const measurementId = await wholeId(session, gateway, id);
    const packets = new PacketFiles(gateway, measurementId, signal);
    const rows: Row[] = [];
    for (const file of await packets.list()) {
      const at = out === null ? null : join(out, `${packetFileName(file)}.pcap`);
      if (at !== null) {
        await packets.fetch(file, at);
      }
      rows.push({ ...file, measurement_id: measurementId, file: at });
    }
    session.printRows(columns, rows);
    if (rows.length === 0) {
      session.note(
        "no packets: the agents have not uploaded them yet, or none were requested, or a week is over",
      );
    }
    return exitCodes.ok;
  },
});
