/** A gateway with a column store and its console in a real browser; answers come by SQL, as fast as they are wanted. */
import { gatewayApp } from "../../../apps/probing/gateway/app.ts";
import { bypassVerifier } from "../../../lib/engines/auth/token-verifier.ts";
import { type RunningServer, serve } from "../../../lib/engines/http/serve.ts";
import { Browser } from "../../browser/browser.ts";
import type { Tab } from "../../browser/tab.ts";
import { ResultsHome } from "../../contract/probing-gateway-reads/results-home.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";

/** Whom everybody is where nobody logs in. */
const user = "test-user-id";

interface RigParts {
  readonly home: ResultsHome;
  readonly browser: Browser;
  readonly url: string;
  readonly show: (html: string) => void;
}

/** A page of the console with other content. */
const ownPath = "/console/bench";

export class ConsoleRig implements AsyncDisposable {
  readonly #home: ResultsHome;
  readonly #browser: Browser;
  readonly #url: string;
  readonly #owned: AsyncDisposableStack;

  readonly #show: (html: string) => void;

  private constructor({ home, browser, url, show }: RigParts, owned: AsyncDisposableStack) {
    this.#home = home;
    this.#browser = browser;
    this.#url = url;
    this.#show = show;
    this.#owned = owned;
  }

  static async start(): Promise<ConsoleRig> {
    await using undo = new AsyncDisposableStack();
    const engine: EngineHome = undo.use(await startEngine());
    const home = undo.use(await ResultsHome.start(engine));
    const app = gatewayApp({ ...home.gateway.services, tokens: bypassVerifier() });
    let content = "";
    const answer: typeof app.fetch = async (request, ...more) => {
      const isOurs = new URL(request.url).pathname === ownPath;
      const page = await app.fetch(
        isOurs ? new Request(new URL("/console", request.url).href) : request,
        ...more,
      );
      // As a string the content would be taken for a pattern of replacements.
      return isOurs
        ? new Response(
            (await page.text()).replace(/(<main[^>]*>).*(<\/main>)/s, (_, open, end) => open + content + end),
            page,
          )
        : page;
    };
    const server: RunningServer = undo.use(serve(answer, { host: "127.0.0.1", port: 0 }));
    const browser = undo.use(await Browser.start());
    const show = (html: string) => {
      content = html;
    };
    return new ConsoleRig({ home, browser, url: server.url, show }, undo.move());
  }

  /** A tab with an empty cache. */
  open(path: string): Promise<Tab> {
    return this.#browser.openPrivately(`${this.#url}${path}`);
  }

  /** A page of the console that has this in place of its content. */
  openWith(html: string): Promise<Tab> {
    this.#show(html);
    return this.open(ownPath.slice(1));
  }

  measurement(): Promise<string> {
    return this.#home.submit(user, 30);
  }

  async end(id: string): Promise<void> {
    await this.#home.end(id, 1);
  }

  /** So many answers, spread over the seconds before now; the measurement's own count follows. */
  async answer(id: string, count: number, spanSec: number): Promise<void> {
    const stepNs = Math.floor((spanSec * 1e9) / count);
    await this.#home.store.store.client.command({
      query: `INSERT INTO measure.replies (date, time_inserted_ns, time_received_ns, agent_id, reply_src_addr,
          reply_dst_addr, reply_protocol, reply_icmp_type, reply_icmp_code, probe_src_addr, probe_dst_addr,
          probe_ttl, probe_protocol, probe_src_port, probe_dst_port, rtt, measurement_id, probe_agent, probe_instance)
        SELECT toDate(at), now64(9), at, 'west', toIPv6(concat('::ffff:198.51.100.', toString(1 + number % 30))),
          toIPv6('::ffff:192.0.2.1'), 1, 11, 0, toIPv6('::ffff:192.0.2.1'), toIPv6('::ffff:203.0.113.9'),
          toUInt8(1 + number % 30), 17, 24000, 33434, toUInt16(20 + cityHash64(number) % 5000), '${id}', 'west', 0
        FROM (SELECT number, now64(9) - toIntervalNanosecond(${stepNs} * (${count} - number)) AS at
          FROM numbers(${count}))`,
    });
    const { sql } = this.#home.gateway.services.database;
    await sql`
      UPDATE measurement_agents SET received_replies = received_replies + ${count}, updated_at = now()
      WHERE measurement_id = ${id} AND agent_id = 'west'`;
  }

  /** Answers of a measurement that the store has, by its own count. */
  async stored(id: string): Promise<number> {
    const rows = await this.#home.store.store.client.query({
      query: `SELECT toUInt32(count()) AS count FROM measure.replies WHERE measurement_id = '${id}'`,
      format: "JSONEachRow",
    });
    const [row] = await rows.json<{ count: number }>();
    return row?.count ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }
}
