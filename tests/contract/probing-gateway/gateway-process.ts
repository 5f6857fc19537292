import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { vantageCommand } from "../../run/vantage-command.ts";

export class GatewayProcess {
  readonly url: string;
  readonly #child: Bun.Subprocess<"ignore", "ignore", "pipe">;

  private constructor(child: Bun.Subprocess<"ignore", "ignore", "pipe">, url: string) {
    this.#child = child;
    this.url = url;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /**
   * Resolves when it serves; `config` is a file, `runner` a command that runs it. Rejects with what it said when it
   * ends instead.
   */
  static async start(
    config: string,
    runner: readonly string[] = [],
    command: "probing-gateway" | "peering-gateway" | "policy-generator" | "bootstrap" = "probing-gateway",
  ): Promise<GatewayProcess> {
    const words = command === "bootstrap" ? [command, "run"] : [command];
    const child = Bun.spawn([...runner, ...vantageCommand, ...words, "--config", config], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    let said = "";
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    void (async () => {
      for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
        said += chunk;
        const url = /"url":"([^"]+)"/.exec(said)?.[1];
        if (url !== undefined) {
          resolve(url);
        }
      }
      reject(new Error(`The gateway has ended: ${said}`));
    })();
    return new GatewayProcess(child, await promise);
  }

  /**
   * A probing gateway with an embedded broker, under this name in the folder; `more`: lines of its configuration,
   * `frame`: members of its section `gateway`.
   */
  static async startIn(
    folder: string,
    name: string,
    database: string,
    more: readonly string[] = [],
    frame = "",
    runner: readonly string[] = [],
  ): Promise<GatewayProcess> {
    const config = join(folder, `${name}.yaml`);
    const lines = [
      `gateway: { address: "127.0.0.1:0", state_dir: "${folder}/${name}", bypass_authentication: true${frame} }`,
      `database: { address: "${database}" }`,
      `kafka: { brokers: "embedded:${folder}/broker" }`,
      "safety: { block_reserved_ranges: false }",
    ];
    writeFileSync(config, [...lines, ...more].join("\n"));
    return await GatewayProcess.start(config, runner);
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }

  /** Resolves to the exit code. */
  async stop(): Promise<number> {
    this.#child.kill("SIGTERM");
    return this.#child.exited;
  }
}
