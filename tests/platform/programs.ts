/** `dist/vantage` as people and service managers start it: alone, with neither Bun nor Node in PATH. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { libchdbPath } from "../../ffi/libchdb.ts";
import { Daemon } from "../exchange/daemon.ts";
import { until } from "../exchange/until.ts";
import { placeExecutable } from "../run/built-folder.ts";

interface Surroundings {
  readonly environment?: Readonly<Record<string, string>>;
  /** Makes the command line of a namespace. */
  readonly within?: (command: readonly string[]) => readonly string[];
}

export class Programs implements AsyncDisposable {
  readonly #folder: string;
  readonly #executable: string;
  readonly #stack = new AsyncDisposableStack();

  private constructor(folder: string) {
    this.#folder = folder;
    this.#executable = join(folder, "vantage");
  }

  /** Puts it into the folder, which keeps what daemons say, too. */
  static async build(folder: string): Promise<Programs> {
    const programs = new Programs(folder);
    await placeExecutable(programs.#executable);
    return programs;
  }

  /** Runs on until the end, and is not started again. Resolves to what `ready` finds in what it says. */
  async start(
    name: string,
    args: readonly string[],
    ready: RegExp,
    around: Surroundings = {},
  ): Promise<string> {
    const command = this.#alone(args, around);
    const daemon = this.#stack.use(new Daemon(name, this.#folder, command));
    return until(name, () => {
      daemon.mustRun();
      const found = ready.exec(daemon.said());
      return found === null ? null : (found[1] ?? found[0]);
    });
  }

  /** To its end; rejects with what it says unless its exit code is 0. Resolves to its standard output. */
  async run(args: readonly string[], { input = "", hear }: RunOptions = {}): Promise<string> {
    const child = Bun.spawn(this.#alone(args, {}), {
      stdin: Buffer.from(input),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      heard(child.stderr, hear),
    ]);
    if ((await child.exited) !== 0) {
      throw new Error(`vantage ${args.join(" ")}: exit code ${child.exitCode}: ${stderr}`);
    }
    return stdout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  #alone(
    args: readonly string[],
    { environment = {}, within = (command) => command }: Surroundings,
  ): string[] {
    const home = join(this.#folder, "home");
    mkdirSync(home, { recursive: true });
    const variables = {
      PATH: "",
      HOME: home,
      TMPDIR: home,
      CHDB_LIBCHDB_PATH: libchdbPath(),
      ...environment,
    };
    const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    return [...within(["env", "-i", ...settings, this.#executable, ...args])];
  }
}

interface RunOptions {
  readonly input?: string;
  /** Told all that it has said on standard error, each time that there is more. */
  readonly hear?: (said: string) => void;
}

async function heard(stream: ReadableStream<Uint8Array>, hear: RunOptions["hear"]): Promise<string> {
  const decoder = new TextDecoder();
  let said = "";
  for await (const chunk of stream) {
    said += decoder.decode(chunk, { stream: true });
    hear?.(said);
  }
  return said;
}
