/**
 * Names of addresses by reverse DNS: bounded in time and number, cached for a while, and only at the user's request,
 * since queries reveal to resolvers what was measured.
 *
 * A name is foreign text, which must be sanitised before it is shown (lib/base/terminal/foreign-text.ts).
 */
import { Resolver } from "node:dns/promises";

/** Concurrent lookups, and their timeout: a later response is of little use to a reader. */
export const lookupsAtATime = 50;
const lookupMs = 1000;
const keptMs = 24 * 3_600_000;
/** For addresses without a name, and if the name server was silent. */
const namelessMs = 3_600_000;
/** Some 20 MB. */
const addressesMax = 100_000;

/** Whether a text is the address of a name server, such as `192.0.2.53` or `[2001:db8::53]:5353`. */
export function isNameServer(text: string): boolean {
  try {
    new Resolver().setServers([text]);
    return true;
  } catch {
    return false;
  }
}

interface NamesOptions {
  /** `192.0.2.53`, `[2001:db8::53]:5353`; the system's own if empty. */
  readonly servers?: readonly string[];
  readonly now?: () => number;
}

export class Names {
  /** Changes with each name that is found. */
  version = 0;
  /** The oldest lookup first; null = the address has no name. */
  readonly #found = new Map<string, { readonly name: string | null; readonly untilMs: number }>();
  readonly #pending = new Map<string, PromiseWithResolvers<void>>();
  readonly #waiting: string[] = [];
  readonly #servers: readonly string[];
  readonly #now: () => number;
  #running = 0;

  constructor({ servers = [], now = Date.now }: NamesOptions = {}) {
    this.#servers = servers;
    this.#now = now;
  }

  /** Null = unknown, or not yet known. */
  nameOf(address: string): string | null {
    return this.#found.get(address)?.name ?? null;
  }

  /** Looks an address up, unless the last result is still valid. */
  ask(address: string): void {
    const known = this.#found.get(address);
    if (!this.#pending.has(address) && (known === undefined || known.untilMs <= this.#now())) {
      this.#pending.set(address, Promise.withResolvers());
      this.#waiting.push(address);
      this.#next();
    }
  }

  /** Whether a lookup is still in progress. */
  isPending(address: string): boolean {
    return this.#pending.has(address);
  }

  /** Looks all of them up, and resolves when done: the time is bounded by their number. */
  async find(addresses: Iterable<string>): Promise<void> {
    const asked = new Set(addresses);
    for (const address of asked) {
      this.ask(address);
    }
    await Promise.all([...asked].map((address) => this.#pending.get(address)?.promise));
  }

  #next(): void {
    const address = this.#running < lookupsAtATime ? this.#waiting.shift() : undefined;
    if (address !== undefined) {
      this.#running++;
      void this.#lookUp(address).finally(() => {
        this.#running--;
        this.#pending.get(address)?.resolve();
        this.#pending.delete(address);
        this.#next();
      });
    }
  }

  /**
   * One resolver for each lookup, so that each can be cancelled separately. A late one is cancelled rather than
   * abandoned: it would keep the process alive. It has no time for a second try.
   */
  async #lookUp(address: string): Promise<void> {
    const resolver = new Resolver({ timeout: lookupMs, tries: 1 });
    if (this.#servers.length > 0) {
      resolver.setServers(this.#servers);
    }
    const timer = setTimeout(() => resolver.cancel(), lookupMs);
    const [name = null] = await resolver.reverse(address).catch(() => []);
    clearTimeout(timer);
    this.#keep(address, name);
  }

  #keep(address: string, name: string | null): void {
    this.#found.delete(address);
    this.#found.set(address, { name, untilMs: this.#now() + (name === null ? namelessMs : keptMs) });
    this.version += name === null ? 0 : 1;
    const [oldest] = this.#found.keys();
    if (this.#found.size > addressesMax && oldest !== undefined) {
      this.#found.delete(oldest);
    }
  }
}
