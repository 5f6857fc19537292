/** The published diamond-miner library (PyPI) in a process of its own, on a ClickHouse that older stores' tests use. */
import { join } from "node:path";
import { OlderStore } from "../../contract/store/older/older-store.ts";
import { LinkRecord } from "../../discovery/simulator/link-record.ts";
import type { SimulatedNet } from "../../discovery/simulator/simulated-net.ts";
import { pythonFolder } from "../../run/python-folder.ts";
import { linesOf } from "../lines.ts";

export const publishedName = "diamond-miner 1.1.8";
/** The library's own mapper: flows of one address each, then ports at the last one. */
const lastAddress = 255;

export class PublishedLibrary implements AsyncDisposable {
  readonly #store: OlderStore;
  readonly #child: Bun.Subprocess<"pipe", "pipe", "pipe">;
  readonly #lines: AsyncGenerator<string, undefined>;
  readonly #complaint: Promise<string>;
  #runs = 0;

  private constructor(store: OlderStore, child: Bun.Subprocess<"pipe", "pipe", "pipe">) {
    this.#store = store;
    this.#child = child;
    this.#lines = linesOf(child.stdout);
    this.#complaint = new Response(child.stderr).text();
  }

  static async start(): Promise<PublishedLibrary> {
    const python = join(await pythonFolder("diamond-miner==1.1.8"), "bin/python");
    const store = await OlderStore.start("25.8");
    const command = [python, join(import.meta.dirname, "published.py"), store.url];
    const child = Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "pipe" });
    return new PublishedLibrary(store, child);
  }

  /** All /24s of a network as one measurement. */
  async discover(net: SimulatedNet, seed: number): Promise<Set<number>> {
    const record = new LinkRecord();
    this.#send(`run bench${++this.#runs} ${seed} ${net.topology.units * net.topology.subnetsEach}\n`);
    for (;;) {
      const [word, count] = (await this.#line()).split(" ");
      if (word === "done") {
        return record.links();
      }
      const answers: string[] = [];
      for (let left = Number(count); left > 0; left--) {
        answers.push(answerTo(net, record, (await this.#line()).split(" ").map(Number)));
      }
      net.endRound();
      this.#send(answers.join(""));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end();
    await this.#child.exited;
    await this.#store[Symbol.asyncDispose]();
  }

  #send(text: string): void {
    this.#child.stdin.write(text);
    this.#child.stdin.flush();
  }

  async #line(): Promise<string> {
    const { value } = await this.#lines.next();
    if (value === undefined) {
      throw new Error(`${publishedName} has ended: ${(await this.#complaint).trim()}`);
    }
    return value;
  }
}

function answerTo(net: SimulatedNet, record: LinkRecord, probe: readonly number[]): string {
  const [subnet = 0, address = 0, port = 0, ttl = 0] = probe;
  const flow = port === 0 ? address : lastAddress + port;
  const node = net.probe(subnet, flow, ttl);
  if (node === 0) {
    return "0 0\n";
  }
  record.add(subnet, flow, ttl, node);
  return `${node} ${net.copiesOf(node)}\n`;
}
