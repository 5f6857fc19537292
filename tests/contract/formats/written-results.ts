/** A store with results by chance, its views, the files that they are written to, and what is imported from these. */
import { expect } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import type { TextForm } from "../../../lib/answers/results/result-source.ts";
import { storeSource } from "../../../lib/answers/results/store-source.ts";
import { type ViewName, viewOf } from "../../../lib/answers/results/views.ts";
import { addressContextsIn, SampleSets } from "../../enrich/sample-sets.ts";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { StoreProcess } from "../client/store-with-paths.ts";
import { fillStore } from "../results/raw-rows.ts";
import { randomResults } from "./random-results.ts";

export type Row = Readonly<Record<string, unknown>>;

export const measurement = "11111111-1111-4111-8111-111111111111";

export class WrittenResults implements AsyncDisposable {
  readonly #sets = new SampleSets();
  readonly #store: StoreProcess;

  private constructor(store: StoreProcess) {
    this.#store = store;
  }

  static async start(): Promise<WrittenResults> {
    return new WrittenResults(await StoreProcess.start());
  }

  async fill(seed: number, isBeyond: boolean): Promise<void> {
    const results = randomResults(measurement, { isBeyond });
    const [rows = { probes: [], replies: [] }] = fc.sample(results, { numRuns: 1, seed });
    await fillStore(this.#store.store, rows);
  }

  async rows<Of extends object = Row>(view: ViewName, id: string): Promise<Of[]> {
    const lines = (await this.#bytes(view, "ndjson", id)).toString().split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Of);
  }

  /** The path of a file. */
  async written(view: ViewName, form: TextForm): Promise<string> {
    const file = join(this.#store.folder, `${view}.${form}`);
    await Bun.write(file, await this.#bytes(view, form, measurement));
    return file;
  }

  /** The measurement that the command makes of a file. */
  async imported(file: string): Promise<string> {
    const command = [...vantageCommand, "import", "--store", this.#store.address, file];
    const { stdout, stderr, exitCode } = await runToEnd(command);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    return stdout.split("\n")[0] ?? "";
  }

  async #bytes(view: ViewName, form: TextForm, id: string): Promise<Buffer> {
    const source = storeSource(this.#store.store, addressContextsIn(this.#sets.path));
    const answer = await source.ask(viewOf(view), { filter: { measurementId: id }, limit: null }, form);
    return Buffer.concat(await Array.fromAsync(answer.texts));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sets[Symbol.dispose]();
    await this.#store[Symbol.asyncDispose]();
  }
}
