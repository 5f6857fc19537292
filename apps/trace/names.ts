/** Names of addresses by reverse DNS: bounded in time and number, and only when the user asks. */
import { Resolver } from "node:dns/promises";
import { lookupMs, lookupsAtATime } from "./limits.ts";

export class Names {
  readonly known = new Map<string, string>();
  /** Changes with each name that is found. */
  version = 0;
  readonly #asked = new Set<string>();
  readonly #pending = new Set<string>();
  readonly #waiting: string[] = [];
  readonly #makeResolver: () => Resolver;
  #running = 0;

  /** One resolver for each look-up, so that each can be cancelled alone. */
  constructor(makeResolver: () => Resolver = () => new Resolver()) {
    this.#makeResolver = makeResolver;
  }

  /** Looks an address up, once. */
  ask(address: string): void {
    if (!this.#asked.has(address)) {
      this.#asked.add(address);
      this.#pending.add(address);
      this.#waiting.push(address);
      this.#next();
    }
  }

  /** Whether a look-up has not ended yet. */
  isPending(address: string): boolean {
    return this.#pending.has(address);
  }

  #next(): void {
    const address = this.#running < lookupsAtATime ? this.#waiting.shift() : undefined;
    if (address !== undefined) {
      this.#running++;
      void this.#lookUp(address).finally(() => {
        this.#running--;
        this.#pending.delete(address);
        this.#next();
      });
    }
  }

  /**
   * An address without a name, or a name server that is slow or away, leaves the address as it is. A look-up that is
   * late is cancelled, not just left alone: it would keep the process from ending.
   */
  async #lookUp(address: string): Promise<void> {
    const resolver = this.#makeResolver();
    const timer = setTimeout(() => resolver.cancel(), lookupMs);
    const [name] = await resolver.reverse(address).catch(() => []);
    clearTimeout(timer);
    if (name !== undefined) {
      this.known.set(address, name);
      this.version++;
    }
  }
}
