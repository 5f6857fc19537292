/**
 * A gateway with a column store, on a port, for programs: a measurement has its replies and its end when it is
 * accepted, unless it is named "held". It is as unreliable as a network: the first submission of each user is answered
 * with "busy", each user's first stream of events breaks behind an event, and agent east cannot send all its probes.
 */
import { gatewayApp } from "../../../apps/probing/gateway/app.ts";
import type { Scope } from "../../../lib/base/api/scopes.ts";
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import { type RunningServer, serve } from "../../../lib/engines/http/serve.ts";
import { Vantage } from "../../../lib/engines/sdk/vantage.ts";
import { startEngine } from "../../postgres/engines.ts";
import type { ReplyGiven } from "../client/store-rows.ts";
import { probeOf, ResultsHome, replyOf } from "../probing-gateway-reads/results-home.ts";

export class SdkHome implements AsyncDisposable {
  readonly results: ResultsHome;
  readonly server: RunningServer;
  readonly #owned: AsyncDisposableStack;

  private constructor(results: ResultsHome, server: RunningServer, owned: AsyncDisposableStack) {
    this.results = results;
    this.server = server;
    this.#owned = owned;
  }

  /** A login's token is its subject; pages of `origin` may call. */
  static async start(origin: string): Promise<SdkHome> {
    await using undo = new AsyncDisposableStack();
    const engine = undo.use(await startEngine());
    const results = undo.use(await ResultsHome.start(engine));
    const { services } = results.gateway;
    const place = "Oslo \u001b[2J\u202e";
    await services.database.sql`UPDATE agents SET location = ${place} WHERE agent_id = ${"west"}`;
    const app = gatewayApp({
      ...services,
      config: { ...services.config, corsOrigins: [origin] },
      tokens: services.apiTokens.beside({ needsToken: true, verify: async (token) => identityOf(token) }),
    });
    const met = new Set<string>();
    const isFirst = (what: string, user: string) => {
      const known = met.has(`${what} ${user}`);
      met.add(`${what} ${user}`);
      return user !== "" && !known;
    };
    const playing = async (request: Request) => {
      const isSubmission = request.method === "POST" && new URL(request.url).pathname === "/api/probes";
      const body = isSubmission ? await request.clone().text() : "";
      const user = request.headers.get("authorization") ?? "";
      if (isSubmission && isFirst("submission", user)) {
        return Response.json(
          { code: "busy" },
          { status: 503, headers: { "retry-after": "0", ...allow(origin) } },
        );
      }
      const response = await app.fetch(request);
      if (response.ok && request.url.endsWith("/events") && isFirst("stream", user)) {
        return cutBehindAnEvent(response);
      }
      const isHeld = request.url.includes("name=held");
      if (isSubmission && response.ok && !isHeld) {
        await play(results, (await response.clone().json()) as { id: string }, body);
      }
      return response;
    };
    const server = undo.use(serve(playing, { host: "127.0.0.1", port: 0 }));
    return new SdkHome(results, server, undo.move());
  }

  get address(): string {
    return this.server.url.replace(/\/$/, "");
  }

  /** An API token of this user. */
  async token(user: string, scopes: readonly Scope[]): Promise<string> {
    const vantage = new Vantage({ gateway: this.address, token: user });
    const { token } = await vantage.call("post", "/api/tokens", { body: { name: "test", scopes } });
    return token;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#owned.disposeAsync();
  }
}

/** As a proxy in front may refuse. */
function allow(origin: string): Record<string, string> {
  return { "access-control-allow-origin": origin, "access-control-expose-headers": "Retry-After" };
}

/** Ends the body in the middle of the event behind the first one with an id. */
function cutBehindAnEvent(response: Response): Response {
  let text = "";
  const cutting = new TransformStream<string, string>({
    transform(piece, controller) {
      text += piece;
      const end = /^id: .*\n(?:.+\n)*\n/m.exec(text);
      if (end !== null) {
        controller.enqueue(text.slice(0, end.index + end[0].length + 3));
        controller.terminate();
      }
    },
  });
  const body = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(cutting);
  return new Response(body?.pipeThrough(new TextEncoderStream()) ?? null, response);
}

/** West's part: a router of 198.51.100.0/24 answers each TTL, from 64 on the destination. */
async function play(home: ResultsHome, { id }: { readonly id: string }, lines: string): Promise<void> {
  const probes = lines.split("\n").flatMap((line) => {
    const [destination = "", srcPort = "", , ttl = ""] = line.split(",");
    return line === "" ? [] : [{ destination, srcPort: Number(srcPort), ttl: Number(ttl) }];
  });
  await home.store.insertProbes(probes.map((probe, index) => ({ ...probeOf(id, index), ...probe })));
  const firstMs = Date.now() - probes.length;
  await home.store.insertReplies(
    probes.map(({ ttl, ...probe }, index) => {
      const answer: Partial<ReplyGiven> = ttl < 64 ? {} : { from: probe.destination, icmp: [0, 0] };
      return { ...replyOf(id, ttl), ...probe, ...answer, timeMs: firstMs + index };
    }),
  );
  await home.end(id, 60);
  // East sends some of its probes, and gives up.
  await home.gateway.services.database.sql`UPDATE measurement_agents
    SET status = 'failed', sent_probes = 3, failed_probes = 2, error = 'no route to host'
    WHERE measurement_id = ${id} AND agent_id = 'east'`;
}
