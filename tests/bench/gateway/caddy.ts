/** Caddy (Debian package caddy) on one core, which answers everything with the same bytes out of its memory. */
import { LabError } from "../../lab/namespaces.ts";
import { freePortsFor } from "../../server/free-ports.ts";

const patienceMs = 10_000;
const lookEveryMs = 20;

export class Caddy implements AsyncDisposable {
  readonly url: string;
  readonly #child: Bun.Subprocess;

  private constructor(url: string, child: Bun.Subprocess) {
    this.url = url;
    this.#child = child;
  }

  /** Resolves when it answers. One thread for the program, as the gateway has one for JavaScript. */
  static async start(body: string): Promise<Caddy> {
    const listen = `127.0.0.1:${freePortsFor("port").port}`;
    const answer = ["--body", body, "--header", "Content-Type: application/json"];
    const command = ["taskset", "-c", "0", "caddy", "respond", "--listen", listen, ...answer];
    const child = Bun.spawn(command, {
      env: { ...process.env, GOMAXPROCS: "1" },
      stdio: ["ignore", "ignore", "ignore"],
    });
    const caddy = new Caddy(`http://${listen}/`, child);
    const giveUpAtMs = performance.now() + patienceMs;
    while (!(await caddy.#answers())) {
      if (performance.now() > giveUpAtMs || child.exitCode !== null) {
        await caddy[Symbol.asyncDispose]();
        throw new LabError("Caddy does not answer");
      }
      await Bun.sleep(lookEveryMs);
    }
    return caddy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill();
    await this.#child.exited;
  }

  async #answers(): Promise<boolean> {
    return (await fetch(this.url).catch(() => null))?.ok === true;
  }
}
