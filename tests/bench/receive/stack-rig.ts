/** `vantage stack` with broker, column store and ingester, in a folder of its own that goes away with it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LabError } from "../../lab/namespaces.ts";
import { freePortsFor } from "../../server/free-ports.ts";
import { linesOf } from "../lines.ts";
import { metricSum } from "../metric-sum.ts";

const vantage = join(import.meta.dirname, "../../../apps/vantage.ts");

export class StackRig implements AsyncDisposable {
  readonly broker: string;
  readonly store: string;
  readonly #page: string;
  readonly #folder: string;
  readonly #child: Bun.Subprocess;

  private constructor(folder: string, listen: string, child: Bun.Subprocess) {
    this.broker = `embedded:${join(folder, "broker")}`;
    this.store = `chdb:${join(folder, "store")}`;
    this.#page = `http://${listen}/metrics`;
    this.#folder = folder;
    this.#child = child;
  }

  /** Resolves when its parts run; rejects when it ends instead; it says why on stderr. */
  static async start(): Promise<StackRig> {
    const folder = mkdtempSync(join(tmpdir(), "vantage-stack-"));
    const listen = `127.0.0.1:${freePortsFor("page").page}`;
    const places = ["--dir", folder, "--listen", listen, "--no-gateway"];
    const child = Bun.spawn([process.execPath, vantage, "stack", ...places], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    const rig = new StackRig(folder, listen, child);
    if (!(await says(child.stdout, "is running"))) {
      await rig[Symbol.asyncDispose]();
      throw new LabError("The stack has ended");
    }
    return rig;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Rows of replies that the ingester has put into the store. */
  storedReplies(): Promise<number> {
    return metricSum(this.#page, 'vantage_stack_ingest_rows_total{feed="replies"}');
  }

  /** Rows of what collectors of routes have heard. */
  storedUpdates(): Promise<number> {
    return metricSum(this.#page, 'vantage_stack_ingest_rows_total{feed="updates"}');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#child.exited;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Whether the text comes before the end; what comes behind it is read too, so that nobody waits for a reader. */
function says(stream: ReadableStream<Uint8Array>, text: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  void (async () => {
    for await (const line of linesOf(stream)) {
      if (line.includes(text)) {
        resolve(true);
      }
    }
    resolve(false);
  })();
  return promise;
}
