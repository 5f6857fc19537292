/**
 * What test files share: the runner makes it on first need and removes it with the run. Of an engine, files get the
 * address, and make databases of their own; of a release, its folder; of a column store, a folder to copy. A test that
 * stops an engine starts its own; so do those of Kafka and the column store, whose topics and tables have names that
 * our programs fix.
 */
import { join } from "node:path";
import { startPostgres } from "../postgres/postgres.ts";
import { runToEnd } from "./said.ts";
import { type SharedPart, sharedPartsVariable } from "./shared-part.ts";

interface Place {
  readonly owned: AsyncDisposableStack;
  /** On disk, for files of this run only. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

const storeProgram = join(import.meta.dirname, "../contract/store/make-migrated-store.ts");
const releaseProgram = join(import.meta.dirname, "../first-hour/make-release.ts");

const starts = {
  postgres: async ({ owned }: Place) => owned.use(await startPostgres()).address(),
  store: (place: Place) => made("store", [storeProgram], place),
  release: (place: Place) => made("release", [releaseProgram, "release"], place),
  "whole-release": (place: Place) => made("whole-release", [releaseProgram, "whole-release"], place),
} as const satisfies Record<SharedPart, (place: Place) => Promise<string>>;

export class SharedParts implements AsyncDisposable {
  readonly #owned = new AsyncDisposableStack();
  readonly #started = new Map<string, Promise<string>>();
  readonly #place: Omit<Place, "owned">;
  readonly #server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    // A release takes minutes.
    idleTimeout: 0,
    fetch: ({ url }) => this.#answer(new URL(url).pathname.slice(1)),
  });

  constructor(place: Omit<Place, "owned">) {
    this.#place = place;
  }

  /** For the environment of jobs. */
  environment(): Record<string, string> {
    return { [sharedPartsVariable]: this.#server.url.origin };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
    await this.#owned.disposeAsync();
  }

  async #answer(name: string): Promise<Response> {
    if (!(name in starts)) {
      return new Response(`Nothing is called ${name}`, { status: 404 });
    }
    const started =
      this.#started.get(name) ?? starts[name as SharedPart]({ ...this.#place, owned: this.#owned });
    this.#started.set(name, started);
    return started.then(
      (address) => new Response(address),
      (error) => new Response(String(error), { status: 500 }),
    );
  }
}

/** The folder of this name, made in a process of its own: bundling would hold the runner up. */
async function made(
  name: SharedPart,
  program: readonly string[],
  { folder, environment }: Place,
): Promise<string> {
  const place = join(folder, name);
  const command = [process.execPath, ...program, place];
  const { stderr, exitCode } = await runToEnd(command, { env: { ...process.env, ...environment } });
  if (exitCode !== 0) {
    throw new Error(`No ${name} could be made: ${stderr}`);
  }
  return place;
}
