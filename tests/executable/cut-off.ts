/**
 * A namespace from which nothing but two hops and a few ports of this machine's loopback can be reached: a browser and
 * an agent in it have no Internet, no name server, no other host.
 */
import { join } from "node:path";
import { Browser } from "../browser/browser.ts";
import { Daemon } from "../exchange/daemon.ts";
import { until } from "../exchange/until.ts";
import { inNamespace } from "../lab/namespaces.ts";
import { relay } from "../platform/relay.ts";
import { TwoHops } from "./two-hops.ts";

const relayScript = join(import.meta.dirname, "../platform/relay.ts");

export class CutOff implements AsyncDisposable {
  readonly #stack = new AsyncDisposableStack();
  readonly #folder: string;
  readonly #place: TwoHops;

  private constructor(folder: string, place: TwoHops) {
    this.#folder = folder;
    this.#place = this.#stack.use(place);
  }

  /** `folder` is for sockets and for what daemons say; `urls` are those that can be reached as they are. */
  static async make(folder: string, urls: readonly string[]): Promise<CutOff> {
    const place = new CutOff(folder, await TwoHops.make());
    await Promise.all(urls.map((url) => place.#reach(Number(new URL(url).port))));
    return place;
  }

  async browser(): Promise<Browser> {
    return this.#stack.use(await Browser.start((command) => inNamespace(this.#place.vantagePoint, command)));
  }

  /** Runs on until the end; waits until it has said `ready`. */
  async start(name: string, command: readonly string[], ready: RegExp): Promise<void> {
    const daemon = this.#stack.use(
      new Daemon(name, this.#folder, inNamespace(this.#place.vantagePoint, command)),
    );
    await until(name, () => {
      daemon.mustRun();
      return ready.test(daemon.said());
    });
  }

  async #reach(port: number): Promise<void> {
    const socket = join(this.#folder, `${port}.sock`);
    this.#stack.use(await relay(socket, port));
    await this.start(`relay-${port}`, [process.execPath, relayScript, String(port), socket], /listening/);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}
