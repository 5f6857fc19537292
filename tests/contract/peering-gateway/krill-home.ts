/**
 * A Krill whose CA `vantage` holds two blocks: the stand-in, or the real program that `VANTAGE_KRILL` names, in testbed
 * mode under a trust anchor of its own (`cargo install krill`; docs/operate/peering-gateway.md).
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Daemon } from "../../exchange/daemon.ts";
import { until } from "../../exchange/until.ts";
import { freePortsFor } from "../../server/free-ports.ts";
import { KrillStandIn, type StandInRoa } from "./krill-stand-in.ts";

const ca = "vantage";
const token = "token-of-the-test";
/** First and last. */
const holdsAsns: readonly [number, number] = [64_500, 65_001];
const holds = ["2001:db8:1::/48", "2001:db8:100::/40"];
const program = process.env.VANTAGE_KRILL ?? "";

export const krillKind = program === "" ? "the stand-in" : "a real Krill";

/** What is read of a ROA. */
type SeenRoa = Pick<StandInRoa, "asn" | "prefix" | "max_length" | "comment">;

interface SeenAspa {
  readonly customer: number;
  readonly providers: readonly number[];
}

interface Switched extends AsyncDisposable {
  stop(): Promise<void>;
  start(): Promise<void>;
}

export class KrillHome implements AsyncDisposable {
  readonly url: string;
  /** The section `rpki.krill` of a gateway's configuration as YAML, but for its braces. */
  readonly yaml: string;
  readonly #server: Switched;

  private constructor(url: string, server: Switched, certificate: string | null) {
    this.url = url;
    this.#server = server;
    const trust = certificate === null ? "" : `, certificate_file: "${certificate}"`;
    this.yaml = `url: "${url}", ca: ${ca}, token: ${token}${trust}`;
  }

  static async start(): Promise<KrillHome> {
    const { port } = freePortsFor("port");
    return program === "" ? KrillHome.#standIn(port) : KrillHome.#real(port);
  }

  static async #standIn(port: number): Promise<KrillHome> {
    const krill = new KrillStandIn({ ca, token, holds, holdsAsns });
    let server: Bun.Server<undefined> | null = null;
    const stop = async () => void (await server?.stop(true));
    const start = async () => {
      server = Bun.serve({ hostname: "127.0.0.1", port, fetch: (request) => krill.answer(request) });
    };
    await start();
    return new KrillHome(`http://127.0.0.1:${port}`, { stop, start, [Symbol.asyncDispose]: stop }, null);
  }

  static async #real(port: number): Promise<KrillHome> {
    const folder = mkdtempSync(join(tmpdir(), "vantage-krill-"));
    writeFileSync(join(folder, "krill.conf"), configuration(folder, port));
    let daemon: Daemon | null = null;
    const start = async () => {
      daemon = new Daemon("krill", folder, [program, "-c", join(folder, "krill.conf")]);
      await until("Krill", async () => (await home.ask("GET", "/api/v1/cas")) !== null);
    };
    const stop = async () => void (await daemon?.[Symbol.asyncDispose]());
    const dispose = async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    };
    const server = { stop, start, [Symbol.asyncDispose]: dispose };
    const home = new KrillHome(`https://127.0.0.1:${port}`, server, join(folder, "ssl/cert.pem"));
    await start();
    await home.#makeCa();
    return home;
  }

  /** All that the CA has, in order. */
  async roas(): Promise<SeenRoa[]> {
    const roas = (await this.ask("GET", `/api/v1/cas/${ca}/routes`)) as SeenRoa[];
    return roas
      .map(({ asn, prefix, max_length, comment }) => ({ asn, prefix, max_length, comment }))
      .sort((a, b) => a.prefix.localeCompare(b.prefix));
  }

  async change(added: readonly SeenRoa[], removed: readonly SeenRoa[] = []): Promise<void> {
    await this.ask("POST", `/api/v1/cas/${ca}/routes`, { added, removed });
  }

  /** All that the CA has, in order. */
  async aspas(): Promise<SeenAspa[]> {
    const aspas = (await this.ask("GET", `/api/v1/cas/${ca}/aspas`)) as SeenAspa[];
    return aspas.sort((a, b) => a.customer - b.customer);
  }

  async changeAspas(aspas: readonly SeenAspa[], remove: readonly number[] = []): Promise<void> {
    await this.ask("POST", `/api/v1/cas/${ca}/aspas`, { add_or_replace: aspas, remove });
  }

  async clear(): Promise<void> {
    await this.change([], await this.roas());
    await this.changeAspas(
      [],
      (await this.aspas()).map(({ customer }) => customer),
    );
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  startAgain(): Promise<void> {
    return this.#server.start();
  }

  /** Its answer to a request that came elsewhere. */
  async pass(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const { method, headers } = request;
    const body = method === "POST" ? { body: await request.text() } : {};
    const answer = await fetch(`${this.url}${pathname}`, {
      ...{ method, headers, ...body, tls: { rejectUnauthorized: false } },
    });
    return new Response(await answer.text(), { status: answer.status });
  }

  /** Null without a body. Rejects unless the status is good. */
  async ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      tls: { rejectUnauthorized: false },
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${method} ${path}: ${response.status} ${text}`);
    }
    return text === "" ? null : JSON.parse(text);
  }

  /** As `krillc` does for a CA under a parent of the same Krill. */
  async #makeCa(): Promise<void> {
    const testbed = "/api/v1/cas/testbed";
    const own = `/api/v1/cas/${ca}`;
    await until("the testbed's certificate", async () =>
      JSON.stringify(await this.ask("GET", testbed)).includes('"ipv6":"::/0"'),
    );
    await this.ask("POST", "/api/v1/cas", { handle: ca });
    const publisher = await this.ask("GET", `${own}/id/publisher_request.json`);
    const repository = await this.ask("POST", "/api/v1/pubd/publishers", publisher);
    await this.ask("POST", `${own}/repo`, { repository_response: repository });
    const child = (await this.ask("GET", `${own}/id/child_request.json`)) as { id_cert: string };
    const resources = { asn: holdsAsns.map((asn) => `AS${asn}`).join("-"), ipv4: "", ipv6: holds.join(", ") };
    const response = await this.ask("POST", `${testbed}/children`, {
      ...{ handle: ca, resources, id_cert: child.id_cert },
    });
    await this.ask("POST", `${own}/parents`, { handle: "testbed", response });
    const first = { asn: 64_500, prefix: "2001:db8:1::/48", max_length: 48, comment: null };
    await until("a certificate", () => this.change([first]).then(() => true));
    await this.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}

/** Names in certificates must not be `localhost`; nobody looks there. */
function configuration(folder: string, port: number): string {
  return `storage_uri = "${folder}"
admin_token = "${token}"
ip = "127.0.0.1"
port = ${port}
service_uri = "https://localhost:${port}/"
log_type = "stderr"
unix_socket_enabled = false
pid_file = "${folder}/krill.pid"
[testbed]
rrdp_base_uri = "https://rpki.example.net/rrdp/"
rsync_jail = "rsync://rpki.example.net/repo/"
ta_aia = "rsync://rpki.example.net/ta/ta.cer"
ta_uri = "https://rpki.example.net/ta/ta.cer"
`;
}
