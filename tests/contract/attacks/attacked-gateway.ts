/** A probing gateway as a process, on PostgreSQL, with users of a real issuer: what attacks are played on. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { startTestIssuer } from "../../issuer/issuer.ts";
import { sharedPostgres } from "../../postgres/shared-postgres.ts";
import { insertAgent } from "../probing-gateway/gateway-home.ts";
import { GatewayProcess } from "../probing-gateway/gateway-process.ts";

export interface AttackedGateway extends AsyncDisposable {
  /** Ends in a slash. */
  readonly url: string;
  readonly folder: string;
  readonly database: Database;
  readonly adminKey: string;
  /** MiB that the process holds now. */
  memoryMiB(): number;
  /** Milliseconds of processor time that the process has had. */
  cpuMs(): number;
  tokenOf(user: string): Promise<string>;
  /** A connection on which this has been sent as it is; a NUL of the text is sent as NUL. */
  open(text: string | Uint8Array): Promise<Socket>;
}

/** Agent `west` is there, and can probe. `yaml`: further sections of the configuration. */
export async function attackedGateway(yaml: readonly string[] = []): Promise<AttackedGateway> {
  await using undo = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "vantage-attacked-"));
  undo.defer(() => rmSync(folder, { recursive: true }));
  const postgres = undo.use(await sharedPostgres());
  const issuer = undo.use(await startTestIssuer());
  const address = await postgres.createDatabase();
  const config = join(folder, "gateway.yaml");
  const lines = [
    `gateway: { address: "127.0.0.1:0", state_dir: "${folder}/state" }`,
    `database: { address: "${address}" }`,
    `kafka: { brokers: "embedded:${folder}/broker" }`,
    `oidc: { issuer: "${issuer.url}", audiences: ["${issuer.audience}"] }`,
    "safety: { block_reserved_ranges: false }",
    ...yaml,
  ];
  writeFileSync(config, lines.join("\n"));
  const gateway = await GatewayProcess.start(config);
  undo.defer(() => gateway.kill());
  const database = undo.use(await openDatabase(address, { applicationName: "test" }));
  await insertAgent(database.sql, "west");
  const owned = undo.move();
  return {
    url: gateway.url,
    folder,
    database,
    adminKey: readFileSync(join(folder, "state/admin.key"), "utf8").trim(),
    memoryMiB: () => residentMiB(gateway.pid),
    cpuMs: () => processorMs(gateway.pid),
    tokenOf: (user) => issuer.tokenFor(user),
    open: (text) => opened(gateway.url, text),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function residentMiB(pid: number): number {
  const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) / 1024;
}

/**
 * The sum of the fourteenth and fifteenth figure, in hundredths of a second (proc(5)); the second one may hold blanks.
 */
function processorMs(pid: number): number {
  const figures = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return 10 * (Number(figures[11]) + Number(figures[12]));
}

function opened(url: string, text: string | Uint8Array): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect(Number(new URL(url).port), "127.0.0.1", () => {
    socket.write(text, () => resolve(socket));
  });
  socket.on("error", reject);
  return promise;
}
