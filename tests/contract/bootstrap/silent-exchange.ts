/**
 * Stands for every exchange that a client in this process asks, as a proxy on loopback that knows nothing: nothing is
 * sent to the addresses of the VPN, which lead out of this machine.
 */
export class SilentExchange implements AsyncDisposable {
  readonly #server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response("{}", { status: 503 }),
  });
  readonly #before = variables.map((name) => [name, process.env[name]] as const);

  constructor() {
    process.env.http_proxy = this.#server.url.origin;
    process.env.no_proxy = "127.0.0.1,localhost";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const [name, value] of this.#before) {
      if (value === undefined) {
        delete process.env[name];
      } else {
        process.env[name] = value;
      }
    }
    await this.#server.stop(true);
  }
}

const variables = ["http_proxy", "no_proxy"];
