/** A spool's probes as gzipped lines of text, a part at a time as the network accepts them. */
import type { ProbeSpool } from "../../../../lib/engines/submission/probe-spool.ts";
import { ProbeCursor, probeMessageBytes } from "../../../../lib/net/wire/probe-codec.ts";
import { formatProbeLine } from "../../../../lib/net/wire/probe-line.ts";
import { packedProbes } from "../limits.ts";

/** The same lines each time. */
export function packedLines(spool: ProbeSpool): ReadableStream<Uint8Array> {
  const room = new Uint8Array(packedProbes * probeMessageBytes);
  const encoder = new TextEncoder();
  let first = 0;
  const lines = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const messages = spool.read(first, packedProbes, room);
      if (messages.length === 0) {
        controller.close();
        return;
      }
      controller.enqueue(encoder.encode(linesOf(messages)));
      first += packedProbes;
    },
  });
  return lines.pipeThrough(new CompressionStream("gzip"));
}

function linesOf(messages: Uint8Array): string {
  const cursor = new ProbeCursor(messages);
  let text = "";
  for (let count = messages.length / probeMessageBytes; count > 0; count--) {
    cursor.advance();
    text += `${formatProbeLine(cursor)}\n`;
  }
  return text;
}
