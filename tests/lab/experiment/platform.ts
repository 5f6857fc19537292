/** The platform of the small Internet: `vantage stack` with both gateways, a collector, and a user's commands. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Daemon } from "../../exchange/daemon.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { LabStack } from "../lab-stack.ts";
import { logIn } from "../login.ts";
import { run } from "../namespaces.ts";
import { bmpPort, managementAddress, prefix } from "./plan.ts";

const address = managementAddress("mgmt");
const peering = {
  VANTAGE_LEASES__POOL: prefix,
  VANTAGE_ANNOUNCEMENTS__PREFIX_MINUTES: "0",
  VANTAGE_ANNOUNCEMENTS__PER_HOUR_MAX: "600",
  VANTAGE_CONSOLE__COLLECTORS: `http://${address}:8096`,
};

export class Platform implements AsyncDisposable {
  readonly stack: LabStack;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly #folder: string;
  readonly #within: (command: readonly string[]) => string[];
  #collector: Daemon | null = null;

  private constructor(folder: string, within: (command: readonly string[]) => string[]) {
    this.#folder = folder;
    this.#within = within;
    this.stack = new LabStack({ folder, address, within });
    this.environment = { ...process.env, XDG_CONFIG_HOME: join(folder, "config") };
  }

  /** Resolves when the user is logged in and has an ASN and the prefix. */
  static async start(folder: string, within: (command: readonly string[]) => string[]): Promise<Platform> {
    const platform = new Platform(folder, within);
    try {
      await platform.stack.start(peering);
      await logIn(platform, "anna", () => undefined);
      await platform.vantage("peering", "asn");
      await platform.vantage("peering", "prefix", "request", "24");
      return platform;
    } catch (error) {
      await platform[Symbol.asyncDispose]();
      throw error;
    }
  }

  get gatewayUrl(): string {
    return this.stack.gatewayUrl;
  }

  get collectorUrl(): string {
    return `http://${address}:8096`;
  }

  get serviceKeyFile(): string {
    return this.stack.at("peering-gateway", "service.key");
  }

  /** The user's, from the login. */
  get token(): string {
    const profiles = join(this.#folder, "config", "vantage");
    const files = readdirSync(profiles, { recursive: true, encoding: "utf8" });
    for (const file of files.filter((name) => name.endsWith(".json"))) {
      const { tokens } = JSON.parse(readFileSync(join(profiles, file), "utf8"));
      if (tokens !== undefined && tokens !== null) {
        return tokens.access_token;
      }
    }
    throw new Error("Nobody is logged in");
  }

  command(words: readonly string[]): string[] {
    return this.#within(words);
  }

  /** A command of the user, with where it is logged in. */
  userCommand(...words: readonly string[]): string[] {
    return this.#within([
      "env",
      `XDG_CONFIG_HOME=${this.environment.XDG_CONFIG_HOME}`,
      ...vantageCommand,
      ...words,
    ]);
  }

  /** What a command of the user prints on its standard output. */
  async vantage(...words: readonly string[]): Promise<string> {
    return await run(this.userCommand(...words));
  }

  async userInfo(): Promise<{ readonly user_hash: string; readonly asn: number }> {
    const header = `authorization: Bearer ${this.token}`;
    return JSON.parse(
      await run(this.#within(["curl", "-fsS", "-H", header, `${this.stack.peeringUrl}/api/user/info`])),
    );
  }

  /** That of the user's newest experiment of this name. */
  async journal(name: string): Promise<string> {
    const ask = (path: string) => {
      const header = `authorization: Bearer ${this.token}`;
      return run(this.#within(["curl", "-fsS", "-H", header, `${this.gatewayUrl}${path}`]));
    };
    const rows: { readonly id: string; readonly name: string }[] = JSON.parse(await ask("/api/experiments"));
    const id = rows.find((row) => row.name === name)?.id;
    return id === undefined ? "" : await ask(`/api/experiments/${id}/journal`);
  }

  /** Rows of a question to the column store, as any of its clients asks it. */
  async query<Row>(sql: string): Promise<Row[]> {
    const { url, token } = JSON.parse(readFileSync(this.stack.at("store", "endpoint.json"), "utf8"));
    const ask = ["curl", "-sS", "--fail-with-body", "--user", `x:${token}`, "--data-binary", "@-"];
    const answer = await run(this.#within([...ask, `${url}/?default_format=JSONEachRow`]), sql);
    return answer.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Row]));
  }

  /** `files`: of MRT, with the address by which each router is shown. */
  startCollector(files: readonly { readonly file: string; readonly router: string }[]): void {
    const file = join(this.#folder, "collector.yaml");
    const config = {
      collector: { state_dir: join(this.#folder, "collector"), address: `${address}:8096` },
      bmp: { address: `${address}:${bmpPort}`, routers: ["10.99.0.0/24"] },
      mrt: files,
      kafka: { brokers: this.stack.broker },
    };
    mkdirSync(config.collector.state_dir, { recursive: true });
    writeFileSync(file, JSON.stringify(config));
    this.#collector = new Daemon(
      "collector",
      this.#folder,
      this.#within([...vantageCommand, "collector", "-c", file]),
    );
  }

  async collectorStatus<Status>(): Promise<Status> {
    return JSON.parse(await run(this.#within(["curl", "-fsS", `${this.collectorUrl}/status`])));
  }

  /** As a crash does. */
  async killCollector(): Promise<void> {
    await this.#collector?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.killCollector();
    await this.stack[Symbol.asyncDispose]();
  }
}
