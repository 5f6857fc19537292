/**
 * What must outlive a restart: orders, announcement requests, what the gateway stated last, and which prefixes this
 * device has been made to offer to the VPN.
 */
import { open, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { parsedJson } from "../../../lib/base/api/parsed-json.ts";
import { makePrivateFolder } from "../../../lib/base/disk/private-folder.ts";
import { leaseKnowledge } from "./leases.ts";
import { ordersBytesMax } from "./limits.ts";
import { ordersSchema } from "./orders.ts";
import { noRequests, requestsSchema } from "./requests.ts";

const stateSchema = v.object({
  orders: ordersSchema,
  offered: v.array(v.string()),
  requests: v.optional(requestsSchema, noRequests),
  /** The gateway's last answer, for a start without it. */
  known: v.optional(v.nullable(leaseKnowledge), null),
});

type State = v.InferOutput<typeof stateSchema>;

export class StateFile {
  readonly #folder: string;
  readonly #path: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, "state.json");
  }

  /** Empty when it does not exist yet. Throws Error on one that is damaged: a withdrawn prefix must not come back. */
  async read(): Promise<State> {
    makePrivateFolder(this.#folder, 0o750);
    const info = await stat(this.#path).catch(() => null);
    if (info === null) {
      return { orders: [], offered: [], requests: noRequests, known: null };
    }
    const text = info.size > ordersBytesMax ? "" : await this.#text();
    const read = v.safeParse(stateSchema, parsedJson(text));
    if (read?.success !== true) {
      throw new Error(`Cannot read ${this.#path}: it is damaged; repair it, or remove it and order again`);
    }
    return read.output;
  }

  /** The new one is on the disk before it takes the place of the old one. Throws a system error. */
  async write(state: State): Promise<void> {
    await writeFile(`${this.#path}.new`, JSON.stringify(state, null, 2), { mode: 0o640, flush: true });
    await rename(`${this.#path}.new`, this.#path);
    const folder = await open(this.#folder, "r");
    await folder.sync().finally(() => folder.close());
  }

  /** Builds before 2026-12 had another name for requests. */
  async #text(): Promise<string> {
    return (await readFile(this.#path, "utf8")).replaceAll('"wishes":', '"requests":');
  }
}
