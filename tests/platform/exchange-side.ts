/** The exchange of the platform: namespaces, the server's BIRD by `vantage exchange render`, an upstream, a user. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Bird } from "../exchange/daemon.ts";
import { userConfiguration } from "../lab/exchange/configurations.ts";
import { ExchangeNet } from "../lab/exchange/exchange-net.ts";
import * as configurations from "./configurations.ts";
import type { Programs } from "./programs.ts";

export class ExchangeSide implements AsyncDisposable {
  readonly policyFile: string;
  readonly #folder: string;
  readonly #net: ExchangeNet;
  readonly #stack = new AsyncDisposableStack();
  #exchange: Bird | null = null;
  #upstream: Bird | null = null;

  private constructor(folder: string, net: ExchangeNet) {
    this.#folder = folder;
    this.policyFile = join(folder, "peering_generated.conf");
    this.#net = this.#stack.use(net);
  }

  /** Three daemons that speak BGP; the user announces the prefix that is not leased yet. */
  static async start(programs: Programs, folder: string): Promise<ExchangeSide> {
    mkdirSync(folder, { recursive: true });
    const side = new ExchangeSide(folder, await ExchangeNet.start());
    try {
      await side.#start(programs);
      return side;
    } catch (error) {
      await side[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Control socket of the exchange server's BIRD. */
  get controlSocket(): string {
    return started(this.#exchange).socket;
  }

  async upstreamHears(prefix: string): Promise<boolean> {
    return started(this.#upstream).hears(prefix);
  }

  async exchangeHears(prefix: string): Promise<boolean> {
    return started(this.#exchange).hears(prefix);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  async #start(programs: Programs): Promise<void> {
    const settings = join(this.#folder, "exchange.yaml");
    writeFileSync(settings, JSON.stringify(configurations.exchange(this.policyFile)));
    await programs.run(["exchange", "render", "-c", settings, "--out", this.#folder]);
    const own = { upstream: configurations.upstreamConfiguration, user: userText() };
    for (const [name, text] of Object.entries(own)) {
      writeFileSync(join(this.#folder, `${name}.conf`), text);
    }
    const [exchange, upstream] = await Promise.all([
      this.#bird("exchange", "bird.conf"),
      this.#bird("upstream", "upstream.conf"),
      this.#bird(configurations.userDevice.node, "user.conf"),
    ]);
    this.#exchange = exchange;
    this.#upstream = upstream;
  }

  async #bird(node: string, file: string): Promise<Bird> {
    const within = (command: string[]) => this.#net.at(node, command);
    const place = { folder: this.#folder, file: join(this.#folder, file), within };
    return this.#stack.use(await Bird.start(node, place));
  }
}

function userText(): string {
  const { userDevice, userAsn, leased } = configurations;
  return userConfiguration(userDevice, userAsn, [leased]);
}

function started(bird: Bird | null): Bird {
  if (bird === null) {
    throw new Error("The exchange is not started");
  }
  return bird;
}
