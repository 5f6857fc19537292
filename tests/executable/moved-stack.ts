/** The folder of `npm run build`, moved to another place, and `vantage stack` of it, run from an empty folder. */
import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { operator } from "../contract/console/console-home.ts";
import { placeBuiltFolder } from "../run/built-folder.ts";
import { makeLargeFolder } from "../run/large-folder.ts";
import { saidBy } from "./said-by.ts";

const anyPort = "127.0.0.1:0";

export class MovedStack implements AsyncDisposable {
  readonly #child;
  /** What the build made, by paths below its folder. */
  readonly files: readonly string[];
  readonly folder: string;
  /** As `http://127.0.0.1:PORT`. */
  readonly origin: string;
  readonly issuer: string;
  readonly health: string;

  private constructor(
    child: ReturnType<typeof start>,
    { folder, files, said }: { folder: string; files: string[]; said: string },
  ) {
    this.#child = child;
    this.folder = folder;
    this.files = files;
    const urls = said.match(/http:[^\s;)]+/g) ?? [];
    this.origin = new URL(urls[0] ?? "").origin;
    this.issuer = /issuer +(\S+)/.exec(said)?.[1] ?? "";
    this.health = urls.at(-1) ?? "";
  }

  /** `settings` are of its gateway's environment; there is nothing else in it. */
  static async start(settings: Readonly<Record<string, string>>): Promise<MovedStack> {
    const folder = makeLargeFolder("vantage-folder-");
    const files = await placeBuiltFolder(join(folder, "built"));
    renameSync(join(folder, "built"), join(folder, "moved"));
    mkdirSync(join(folder, "empty"));
    const child = start(folder, settings);
    const said = await saidBy(child.stdout, /(console +\S+[\s\S]*http:\S+health)/);
    return new MovedStack(child, { folder, files, said });
  }

  get executable(): string {
    return join(this.folder, "moved/vantage");
  }

  get store(): string {
    return `chdb:${this.#below("store")}`;
  }

  get broker(): string {
    return `embedded:${this.#below("broker")}`;
  }

  secret(name: "admin" | "enrolment"): string {
    return readFileSync(this.#below(`gateway/${name}.key`), "utf8").trim();
  }

  /** Its exit code. */
  async stop(): Promise<number> {
    this.#child.kill("SIGTERM");
    return await this.#child.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
    rmSync(this.folder, { recursive: true, force: true });
  }

  #below(name: string): string {
    return join(this.folder, "empty/platform", name);
  }
}

function start(folder: string, settings: Readonly<Record<string, string>>) {
  const variables = Object.entries({ PATH: "", VANTAGE_OIDC__OPERATORS: operator, ...settings });
  const command = [
    ...["env", "-i", ...variables.map(([name, value]) => `${name}=${value}`)],
    ...[join(folder, "moved/vantage"), "stack", "--dir", "platform", "--listen", anyPort],
    ...["--issuer-port", "0", "--gateway-listen", anyPort, "--peering-listen", anyPort],
  ];
  return Bun.spawn(command, { cwd: join(folder, "empty"), stdout: "pipe", stderr: "inherit" });
}
