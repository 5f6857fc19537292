/** The webhook that alerts go to: keeps what it is given, and refuses the first message, as one that is not set up. */
import * as v from "valibot";

const message = v.object({
  alerts: v.array(
    v.object({
      status: v.string(),
      labels: v.record(v.string(), v.string()),
      annotations: v.record(v.string(), v.string()),
    }),
  ),
});
type Delivered = v.InferOutput<typeof message>["alerts"][number];

export class Receiver implements AsyncDisposable {
  readonly delivered: Delivered[] = [];
  #messages = 0;
  readonly #server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      this.#messages++;
      if (this.#messages === 1) {
        return new Response("who is this for?", { status: 400 });
      }
      this.delivered.push(...v.parse(message, await request.json()).alerts);
      return new Response();
    },
  });

  get url(): string {
    return this.#server.url.href;
  }

  names(): string[] {
    const firing = this.delivered.filter(({ status }) => status === "firing");
    return [...new Set(firing.map(({ labels }) => labels.alertname ?? ""))].sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }
}
