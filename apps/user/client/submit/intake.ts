/** Reads probe lines from files and standard input into the spool, checking each; memory stays constant. */
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { fileChunks, fileWords } from "../../../../lib/command/command/file-chunks.ts";
import type { ProbeSpool } from "../../../../lib/engines/submission/probe-spool.ts";
import { formatLineError, type LineError } from "../../../../lib/net/wire/line-error.ts";
import { ProbeMessageReader } from "../../../../lib/net/wire/probe-message-reader.ts";

interface IntakeOrder {
  /** "-" is standard input. */
  readonly files: readonly string[];
  readonly spool: ProbeSpool;
  /** Called with the first bad lines, as many as `shownMax`. */
  readonly onBad: (line: string) => void;
  readonly shownMax: number;
  /** Called after each chunk. */
  readonly onProgress: (read: IntakeCount) => void;
  readonly signal: AbortSignal;
}

export interface IntakeCount {
  probes: number;
  /** Lines that are not a probe. */
  bad: number;
  bytes: number;
}

/** Throws CommandError on an unreadable file; returns early when `signal` is aborted. */
export async function readProbes(order: IntakeOrder): Promise<IntakeCount> {
  const count: IntakeCount = { probes: 0, bad: 0, bytes: 0 };
  const onError = (error: LineError) => {
    count.bad++;
    if (count.bad <= order.shownMax) {
      order.onBad(formatLineError(error));
    }
  };
  for (const file of order.files) {
    const name = fileWords(file);
    const reader = new ProbeMessageReader(name, {
      onMessages: (messages) => order.spool.appendMessages(messages),
      onError,
    });
    for await (const chunk of untilAborted(fileChunks(file), order.signal)) {
      reader.push(chunk);
      count.bytes += chunk.length;
      count.probes = order.spool.probes;
      order.onProgress(count);
    }
    reader.finish();
  }
  order.spool.flush();
  count.probes = order.spool.probes;
  order.onProgress(count);
  return count;
}

/** Throws CommandError when lines are bad and must not be, or when there are none. */
export function checkIntake(
  { probes, bad }: IntakeCount,
  { files, skipBad }: { readonly files: readonly string[]; readonly skipBad: boolean },
): void {
  const lines = `${grouped(bad)} bad ${bad === 1 ? "line" : "lines"}`;
  if (bad > 0 && !skipBad) {
    throw cannot(`${lines}, so nothing is published; correct them, or leave them out with --skip-bad`);
  }
  if (probes === 0) {
    const where = files.map(fileWords).join(", ");
    throw cannot(`No probe line in ${where}${bad === 0 ? "" : ` besides ${lines}`}`);
  }
}

/**
 * A pending read of a terminal or pipe cannot be cancelled; it is abandoned instead.
 *
 * Each iteration has its own promise: a shared one would keep every chunk alive that it was raced against.
 */
async function* untilAborted(
  chunks: AsyncGenerator<Uint8Array, void>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  let stop = () => {};
  const onAbort = () => stop();
  signal.addEventListener("abort", onAbort);
  try {
    while (!signal.aborted) {
      const { promise: aborted, resolve } = Promise.withResolvers<null>();
      stop = () => resolve(null);
      const next = await Promise.race([chunks.next(), aborted]);
      if (next === null || next.done === true) {
        return;
      }
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    void chunks.return();
  }
}
