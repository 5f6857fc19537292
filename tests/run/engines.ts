/**
 * Engines that test files share: the runner starts them on first need and ends them with the run. Files get addresses,
 * and make databases of their own. A test that stops an engine starts its own; so do those of Kafka and the
 * column store, whose topics and tables have names that our programs fix.
 */
import { startPostgres } from "../postgres/postgres.ts";
import { enginesVariable, type SharedEngine } from "../server/shared-engine.ts";

const starts = {
  postgres: async (owned: AsyncDisposableStack) => owned.use(await startPostgres()).address(),
} as const satisfies Record<SharedEngine, (owned: AsyncDisposableStack) => Promise<string>>;

export class Engines implements AsyncDisposable {
  readonly #owned = new AsyncDisposableStack();
  readonly #started = new Map<string, Promise<string>>();
  readonly #server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => this.#answer(new URL(url).pathname.slice(1)),
  });

  /** For the environment of jobs. */
  environment(): Record<string, string> {
    return { [enginesVariable]: this.#server.url.origin };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
    await this.#owned.disposeAsync();
  }

  async #answer(name: string): Promise<Response> {
    if (!(name in starts)) {
      return new Response(`No engine ${name}`, { status: 404 });
    }
    const started = this.#started.get(name) ?? starts[name as SharedEngine](this.#owned);
    this.#started.set(name, started);
    return started.then(
      (address) => new Response(address),
      (error) => new Response(String(error), { status: 500 }),
    );
  }
}
