/** Parses a campaign's probe lines like a submission. */
import { atOnce, type Steps } from "../../../lib/base/list/steps.ts";
import { Problem } from "../../../lib/engines/http/problem.ts";
import { isTcpProbe, probeMessageBytes } from "../../../lib/net/wire/probe-codec.ts";
import { ProbeMessageReader } from "../../../lib/net/wire/probe-message-reader.ts";

export interface ProbeText {
  readonly probes: number;
  readonly hasTcp: boolean;
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
  const reader = new ProbeMessageReader("probes", {
    onMessages: (messages) => {
      onMessages(messages);
      for (let at = 0; at < messages.length; at += probeMessageBytes) {
        probes++;
        hasTcp ||= isTcpProbe(messages, at);
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
  return { probes, hasTcp };
}

function badProbes(reason: string): Problem {
  return badBody("probes", reason);
}

/** 422 for a bad member of a definition. */
export function badBody(path: string, reason: string): Problem {
  const fields = [{ path, reason }];
  const message = `Cannot use the body: ${path} ${reason}`;
  return new Problem({ status: 422, code: "invalid_body", message, fields });
}
