/** A peering gateway for tests: real services on a database of either engine, asked by `fetch`, with a clock to set. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gatewayApp } from "../../../apps/peering/gateway/app.ts";
import { readGatewayConfig } from "../../../apps/peering/gateway/config.ts";
import { type OpenServices, servicesOn } from "../../../apps/peering/gateway/gateway.ts";
import { gatewayMetrics } from "../../../apps/peering/gateway/metrics.ts";
import { Failure } from "../../../lib/base/failure/failure.ts";
import { identityOf, type TokenVerifier } from "../../../lib/engines/auth/token-verifier.ts";
import { jsonLog } from "../../../lib/engines/observe/log.ts";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";

/** A token is the subject itself: how tokens are checked is tests/contract/auth. */
const subjects: TokenVerifier = {
  needsToken: true,
  verify: (token) =>
    token === "bad"
      ? Promise.reject(new Failure("auth", "invalid_signature", "Invalid token: bad"))
      : Promise.resolve(identityOf(token)),
};

export const adminKey = "admin-key-of-the-test";
export const serviceKey = "service-key-of-the-test";
export const subjectKey = "first:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY";

export interface HomeOptions {
  /** It stays open when the home is left. */
  readonly database: Database;
  /** The section `leases` as YAML; default two /48s and a /40. */
  readonly leases?: string;
  readonly asns?: string;
  readonly subjects?: string;
  /** Further lines of YAML: `rpki: { mode: lease }`. */
  readonly yaml?: string;
}

interface PeeringAnswer {
  readonly status: number;
  /** As it was parsed: each test knows the form of what it has asked for. */
  readonly body: ReturnType<typeof JSON.parse>;
}

export class PeeringHome implements AsyncDisposable {
  readonly services: OpenServices;
  /** Lines of the log. */
  readonly logged: readonly string[];
  readonly app: ReturnType<typeof gatewayApp>;
  readonly #folder: string;

  private constructor(services: OpenServices, folder: string, logged: readonly string[]) {
    this.services = services;
    this.#folder = folder;
    this.logged = logged;
    this.app = gatewayApp({ ...services, tokens: subjects });
  }

  static async start(options: HomeOptions): Promise<PeeringHome> {
    await using undo = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), "vantage-peering-"));
    undo.defer(() => rmSync(folder, { recursive: true, force: true }));
    const text = configText(options, folder);
    const logged: string[] = [];
    const config = readGatewayConfig({ name: "test", text }, {});
    const log = jsonLog("test", (line) => logged.push(line));
    const { database } = options;
    const services = await servicesOn({ config, database, log, metrics: gatewayMetrics() });
    undo.move();
    return new PeeringHome(services, folder, logged);
  }

  /** As this user; null = without a token. A body is sent as JSON. */
  ask(user: string | null, method: string, path: string, body?: unknown): Promise<PeeringAnswer> {
    return this.send(user, method, path, body);
  }

  admin(method: string, path: string, body?: unknown): Promise<PeeringAnswer> {
    return this.send(adminKey, method, path, body);
  }

  service(path: string): Promise<PeeringAnswer> {
    return this.send(serviceKey, "GET", path);
  }

  /** A lease for the user; its prefix. Throws when it is refused. */
  async lease(user: string, hours = 1): Promise<string> {
    const { status, body } = await this.ask(user, "POST", "/api/user/prefix", { duration_hours: hours });
    if (status !== 200) {
      throw new Error(`${user} gets no lease: ${status} ${body.message}`);
    }
    return body.prefix;
  }

  /** Sets the clock of the database forward, or back; all shifts add up. */
  async shift(ms: number): Promise<void> {
    await shiftClock(this.services.database, ms);
  }

  async send(bearer: string | null, method: string, path: string, body?: unknown): Promise<PeeringAnswer> {
    const response = await this.app.request(`http://gateway.test${path}`, {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : JSON.parse(text) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.services[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export function configText(
  options: Omit<HomeOptions, "database">,
  folder: string,
  // Of a database that is open already, nobody asks.
  databaseAddress = "pglite:unused",
): string {
  const pool = '{ pool: ["2001:db8:1::/48", "2001:db8:2::/48", "2001:db8:100::/40"] }';
  return [
    `gateway: { address: "127.0.0.1:0", state_dir: "${folder}", admin_key: "${adminKey}" }`,
    `database: { address: "${databaseAddress}" }`,
    `leases: ${options.leases ?? pool}`,
    `asns: ${options.asns ?? "{}"}`,
    `subjects: ${options.subjects ?? `{ keys: ["${subjectKey}"] }`}`,
    `service: { keys: [{ name: test, key: "${serviceKey}" }] }`,
    options.yaml ?? "",
  ].join("\n");
}

/** The schema has no way to set its clock: another function takes its place. */
async function shiftClock({ sql }: Database, ms: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`CREATE TABLE IF NOT EXISTS test_clock AS SELECT interval '0' AS skew`;
    await tx`UPDATE test_clock SET skew = skew + ${ms} * interval '1 ms'`;
    await tx`
      CREATE OR REPLACE FUNCTION vantage_now() RETURNS timestamptz STABLE LANGUAGE sql AS
        $$SELECT date_trunc('milliseconds', clock_timestamp() + (SELECT skew FROM test_clock))$$`;
  });
}

export const hourMs = 3_600_000;

export function hashOf(user: string): string {
  return createHash("sha256").update(user).digest("hex");
}

/** As it stands in a path. */
export function inPath(prefix: string): string {
  return encodeURIComponent(prefix);
}
