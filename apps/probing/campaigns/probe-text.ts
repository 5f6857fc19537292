/** Parses a campaign's probe lines like a submission. */
import { atOnce, type Steps } from "../../../lib/base/list/steps.ts";
import { Problem } from "../../../lib/engines/http/problem.ts";
import { dnsPort } from "../../../lib/net/packet/dns-question.ts";
import {
  dstPortOfProbe,
  isTcpProbe,
  probeMessageBytes,
  protocolOfProbe,
} from "../../../lib/net/wire/probe-codec.ts";
import { ProbeMessageReader } from "../../../lib/net/wire/probe-message-reader.ts";
import { protocolNumber } from "../../../lib/net/wire/protocol-number.ts";

export interface ProbeText {
  readonly probes: number;
  readonly hasTcp: boolean;
  /** All are UDP to port 53. */
  readonly areQueries: boolean;
}

/** Bytes per step: some 300 lines, or 1 ms where each of them is in an unusual form. */
const stepBytes = 16_384;

/** Reads it at once, where no one else is served. Throws Problem 422 for a bad line, and for none. */
export function readProbeText(text: string, onMessages?: (messages: Uint8Array) => void): ProbeText {
  return atOnce(probeTextSteps(text, onMessages));
}

/** Hands over its probes' messages. Throws as `readProbeText`. */
export function* probeTextSteps(
  text: string,
  onMessages: (messages: Uint8Array) => void = () => {},
): Steps<ProbeText> {
  let probes = 0;
  let hasTcp = false;
  let areQueries = true;
  const reader = new ProbeMessageReader("probes", {
    onMessages: (messages) => {
      onMessages(messages);
      for (let at = 0; at < messages.length; at += probeMessageBytes) {
        probes++;
        hasTcp ||= isTcpProbe(messages, at);
        areQueries &&= isQuery(messages, at);
      }
    },
    onError: ({ line, message }) => {
      throw badProbes(`line ${line}: ${message}`);
    },
  });
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += stepBytes) {
    reader.push(bytes.subarray(at, at + stepBytes));
    yield;
  }
  reader.finish();
  if (probes === 0) {
    throw badProbes("has no probe lines");
  }
  return { probes, hasTcp, areQueries };
}

function isQuery(messages: Uint8Array, at: number): boolean {
  return protocolOfProbe(messages, at) === protocolNumber.udp && dstPortOfProbe(messages, at) === dnsPort;
}

function badProbes(reason: string): Problem {
  return badBody("probes", reason);
}

/** 422 for a bad member of a body. */
export function badBody(path: string, reason: string): Problem {
  const fields = [{ path, reason }];
  const message = `Cannot use the body: ${path} ${reason}`;
  return new Problem({ status: 422, code: "invalid_body", message, fields });
}
