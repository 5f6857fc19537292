/**
 * A peering gateway and a coordination server in small, over real HTTP: they answer what they are given, and can be
 * made to fail. The coordination server keeps what is approved, as Headscale 0.28 does.
 */
import { Hono } from "hono";
import { mappingsAnswer, nodesAnswer, type SampleUser } from "./samples.ts";

export const gatewayKey = "gateway-key";
export const headscaleKey = "headscale-key";

export class SourcesServer implements AsyncDisposable {
  users: readonly SampleUser[];
  /** What is answered instead; null = what is right. */
  gatewayFailure: (() => Response | Promise<Response>) | null = null;
  headscaleFailure: (() => Response | Promise<Response>) | null = null;
  /** Sends the e-mail addresses of nobody. */
  withoutEmails = false;
  /** By node id; a node that is not here has none. */
  readonly approved = new Map<string, readonly string[]>();
  /** Devices that belong to no user. */
  servers: readonly object[] = [];
  onApproval: (nodeId: string, routes: readonly string[]) => void | Promise<void> = () => undefined;
  asked = { mappings: 0, nodes: 0, approvals: 0 };
  readonly #waiting: (() => void)[] = [];
  #changes = 0;
  readonly #server;

  constructor(users: readonly SampleUser[]) {
    this.users = users;
    const app = this.#app();
    this.#server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      idleTimeout: 60,
      fetch: (request) => app.fetch(request),
    });
  }

  get url(): string {
    return this.#server.url.href;
  }

  /** Tells who follows the gateway's changes. */
  change(users: readonly SampleUser[]): void {
    this.users = users;
    this.#changes++;
    for (const wake of this.#waiting.splice(0)) {
      wake();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const wake of this.#waiting.splice(0)) {
      wake();
    }
    await this.#server.stop(true);
  }

  #app(): Hono {
    const app = new Hono();
    const refused = () => new Response("Unauthorized", { status: 401 });
    const holds = (header: string | undefined, key: string) => header === `Bearer ${key}`;
    app.get("/service/mappings", (c) => {
      this.asked.mappings++;
      if (this.gatewayFailure !== null) {
        return this.gatewayFailure();
      }
      const users = this.withoutEmails ? this.users.map((user) => ({ ...user, email: null })) : this.users;
      return holds(c.req.header("authorization"), gatewayKey) ? c.json(mappingsAnswer(users)) : refused();
    });
    app.get("/service/changes", async (c) => {
      if (this.gatewayFailure !== null) {
        return this.gatewayFailure();
      }
      // A reader without a position gets the last change at once.
      const given = c.req.query("since");
      const since = Number(given ?? Math.max(0, this.#changes - 1));
      if (given !== undefined && since >= this.#changes) {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
      const changes = Array.from({ length: this.#changes - since }, (_, index) => ({
        seq: since + index + 1,
      }));
      return c.json({ changes, next: this.#changes });
    });
    app.get("/api/v1/node", (c) => {
      this.asked.nodes++;
      if (this.headscaleFailure !== null) {
        return this.headscaleFailure();
      }
      const { nodes } = nodesAnswer(this.users);
      const known = nodes.map((node) => ({ ...node, approvedRoutes: this.approved.get(node.id) ?? [] }));
      return holds(c.req.header("authorization"), headscaleKey)
        ? c.json({ nodes: [...known, ...this.servers] })
        : refused();
    });
    app.post("/api/v1/node/:id/approve_routes", async (c) => {
      if (this.headscaleFailure !== null || !holds(c.req.header("authorization"), headscaleKey)) {
        return this.headscaleFailure?.() ?? refused();
      }
      this.asked.approvals++;
      const { routes } = await c.req.json<{ routes: string[] }>();
      this.approved.set(c.req.param("id"), routes);
      await this.onApproval(c.req.param("id"), routes);
      return c.json({ node: { id: c.req.param("id"), approvedRoutes: routes } });
    });
    return app;
  }
}
