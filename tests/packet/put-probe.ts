/** A probe as a record in the hot path's memory, as a sender's ring has it. */
import type { Hotpath } from "../../ffi/hotpath/hotpath.ts";
import * as at from "../../ffi/hotpath/memory-layout.ts";
import { dnsQuestions } from "../../lib/net/packet/dns-question.ts";
import type { Probe } from "../../lib/net/packet/probe.ts";
import { protocolNumber } from "../../lib/net/wire/protocol-number.ts";

export function putProbe(hotpath: Hotpath, slot: number, probe: Probe, src: Uint8Array): void {
  const start = at.probesAt + slot * at.probeBytes;
  hotpath.bytes.set(probe.dst, start);
  hotpath.bytes.set(src, start + 16);
  hotpath.view.setUint16(start + at.probeSrcPortAt, probe.srcPort, true);
  hotpath.view.setUint16(start + at.probeDstPortAt, probe.dstPort, true);
  hotpath.view.setUint8(start + at.probeTtlAt, probe.ttl);
  hotpath.view.setUint8(start + at.probeProtocolAt, protocolNumber[probe.protocol]);
  const { sizeBytes = 0, dontFragment = false, trafficClass = 0, flowLabel = 0, dns } = probe.shape ?? {};
  hotpath.view.setUint16(start + at.probeSizeAt, sizeBytes, true);
  const question = dns === undefined ? 0 : (dnsQuestions.indexOf(dns) + 1) << at.dnsQuestionShift;
  hotpath.view.setUint8(start + at.probeFlagsAt, (dontFragment ? at.flagDontFragment : 0) | question);
  hotpath.view.setUint8(start + at.probeTrafficClassAt, trafficClass);
  hotpath.view.setUint32(start + at.probeFlowLabelAt, flowLabel, true);
}
