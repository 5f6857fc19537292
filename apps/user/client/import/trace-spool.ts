/**
 * Traces in a temporary file, for a second pass: each input is read once, so that it may be a pipe, and nothing is
 * stored before all of them have been read completely.
 */
import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ImportedTrace } from "../../../../lib/measuring/formats/imported-trace.ts";

/** Some MB in memory. */
const flushTraces = 1000;

export class TraceSpool implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "vantage-import-"));
  readonly #file = join(this.#folder, "traces.ndjson");

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Resolves to their number. */
  async fill(traces: AsyncIterable<ImportedTrace>): Promise<number> {
    const writer = Bun.file(this.#file).writer();
    let count = 0;
    try {
      for await (const trace of traces) {
        writer.write(`${JSON.stringify(trace)}\n`);
        count++;
        if (count % flushTraces === 0) {
          await writer.flush();
        }
      }
    } finally {
      await writer.end();
    }
    return count;
  }

  async *traces(): AsyncGenerator<ImportedTrace, void, undefined> {
    for await (const line of createInterface({ input: createReadStream(this.#file) })) {
      const trace: ImportedTrace = JSON.parse(line);
      yield trace;
    }
  }
}
