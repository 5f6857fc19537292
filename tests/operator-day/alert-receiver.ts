/** The webhook to which Alertmanager delivers: remembers what arrived. */
import { until } from "../exchange/until.ts";

const port = 9999;

export class AlertReceiver implements AsyncDisposable {
  static readonly url = `http://127.0.0.1:${port}/`;
  readonly #arrived: string[] = [];
  readonly #server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    fetch: async (request) => {
      this.#arrived.push(await request.text());
      return new Response();
    },
  });

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  /** Prometheus waits minutes before an alert fires, and Alertmanager before it repeats. */
  async until(alert: string, status: "firing" | "resolved"): Promise<void> {
    const word = `"status":"${status}"`;
    await until(
      `${alert} is ${status}`,
      () => this.#arrived.some((text) => text.includes(alert) && text.includes(word)),
      900_000,
    );
  }
}
