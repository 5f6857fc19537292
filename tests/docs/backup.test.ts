/** docs/operate/backup.md: what its commands copy and restore is what was there. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { openBroker } from "../../lib/engines/broker/open.ts";
import { Sight } from "../../lib/engines/observe/sight.ts";
import { addBackupGauge } from "../../lib/engines/observe/state-gauges.ts";
import { Part } from "../contract/store/processes.ts";
import { until } from "../exchange/until.ts";
import { startPostgres } from "../postgres/postgres.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { onPeering, onProbing } from "../upgrade/gateway-homes.ts";
import { platformFacts, probingDatabase, readKept, startPlatform } from "../upgrade/platform-contents.ts";
import { probingFacts } from "../upgrade/probing-contents.ts";
import { contentsOf, dumped, loadDump, releases, releasesFolder, unpack } from "../upgrade/release-files.ts";
import { readPage } from "./page-blocks.ts";
import { PageRun } from "./page-run.ts";

const page = "docs/operate/backup.md";
const systemd = "no unit runs on a machine of tests; the test stops, freezes and starts the processes itself";

/** The newest release's platform stands for anybody's. */
const version = releases().at(-1) ?? "";
const contents = contentsOf(version);
const folder = mkdtempSync(join(tmpdir(), "vantage-backup-"));
const stack = join(folder, "stack");
let running: Part;

beforeAll(async () => {
  unpack(join(releasesFolder, version, "platform.tar.xz"), stack);
  const anywhere = "127.0.0.1:0";
  const places = ["--gateway-listen", anywhere, "--peering-listen", anywhere, "--issuer-port", "0"];
  running = await startPlatform(stack, ...places);
});

afterAll(async () => {
  await running[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** The commands below one heading. */
function section(heading: string, environment: Readonly<Record<string, string>>): PageRun {
  const blocks = readPage(page).filter((block) => block.heading === heading);
  const isMarked = blocks.some(({ words }) => words.has("not-run"));
  return PageRun.of(blocks, {
    scenes: { here: { environment: { STACK: stack, ...environment } } },
    ...(isMarked ? { notRun: { systemd } } : {}),
  });
}

/** The stack and its parts. */
async function processes(): Promise<number[]> {
  const { pid } = running.process;
  const children = await Bun.file(`/proc/${pid}/task/${pid}/children`).text();
  return [pid, ...children.trim().split(" ").map(Number)];
}

function stateOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
}

test("PostgreSQL: both databases, while they are in use", async () => {
  await using server = await startPostgres();
  const root = server.address("").replace(/\/$/, "");
  for (const schema of ["probing", "peering"] as const) {
    expect(Bun.spawnSync(["createdb", `--maintenance-db=${server.address()}`, schema]).exitCode).toBe(0);
    loadDump(join(releasesFolder, version, `${schema}.sql`), server.address(schema));
  }
  await onPeering(server.address("peering"), async () => {
    await using commands = section("PostgreSQL", { SERVER: root });
    await commands.runAll();
  });
  for (const schema of ["probing", "peering"]) {
    expect(dumped(server.address(`${schema}_restored`))).toBe(dumped(server.address(schema)));
  }
});

test("the embedded log, while it is in use", async () => {
  await using _open = await openBroker(`embedded:${stack}/broker`);
  await using commands = section("The embedded log", {});
  await commands.runAll();
  expect(await readKept(commands.folder())).toEqual([...contents.platform.kept]);
});

test("the column store, by days", async () => {
  const [first] = contents.platform.replies as { date: string }[];
  const fresh = join(folder, "new");
  await using _store = await Part.start("store", "--dir", join(fresh, "store"), "--child");
  const migrate = ["stack", "migrate", "--store", `chdb:${fresh}/store`, "--ttl-days", "3650"];
  expect(Bun.spawnSync([...vantageCommand, ...migrate]).exitCode).toBe(0);
  await using commands = section("The column store", { DAY: first?.date ?? "", NEW: fresh });
  await commands.runAll();
  const { kept, ...facts } = contents.platform;
  expect(await platformFacts(fresh)).toMatchObject(facts);

  // The other page that asks the store.
  const [, ask = ""] =
    /^ {4}(jq .*)$/m.exec(readFileSync(join(import.meta.dirname, "../../docs/internals/store.md"), "utf8")) ??
    [];
  const { stdout } = Bun.spawnSync(["bash", "-c", ask.replace("DIR/", `${fresh}/store/`)]);
  expect(stdout.toString()).toBe(`${facts.replies.length}\n`);
});

test("one machine, frozen", async () => {
  const pids = await processes();
  await using commands = section("One machine, frozen", {});
  for (const pid of pids) {
    process.kill(pid, "SIGSTOP");
  }
  try {
    await until("the halt of all", () => pids.every((pid) => stateOf(pid) === "T"));
    await commands.runAll();
  } finally {
    for (const pid of pids) {
      process.kill(pid, "SIGCONT");
    }
  }
  const frozen = join(commands.folder(), "frozen");
  const { kept, ...stored } = contents.platform;
  expect(await readKept(frozen)).toEqual([...kept]);
  {
    await using _platform = await startPlatform(frozen);
    expect(await platformFacts(frozen)).toMatchObject(stored);
  }
  const { facts } = contents.probing.pglite;
  const today = await onProbing(`pglite:${join(frozen, probingDatabase)}`, probingFacts);
  // Behind it, the stack's key for agents.
  expect<unknown>({ ...today, audit: today.audit.slice(0, facts.audit.length) }).toEqual(facts);
});

test("a backup is said to be done where the services look", async () => {
  await using commands = section("Say that it was done", {});
  await commands.runAll();
  for (const state of [stack, join(stack, "gateway")]) {
    const registry = new Registry();
    addBackupGauge(new Sight(registry), state);
    const [, atSec] = /^vantage_backup_timestamp_seconds (\S+)/m.exec(await registry.metrics()) ?? [];
    expect(Math.abs(Date.now() / 1000 - Number(atSec))).toBeLessThan(3600);
  }
});

test("one machine, stopped", async () => {
  running.process.kill("SIGTERM");
  expect(await running.ended()).toBe(0);
  await using commands = section("One machine, stopped", {});
  await commands.runAll();
  const restored = join(commands.folder(), "restored");
  expect(Bun.spawnSync(["diff", "--recursive", stack, restored]).stdout.toString()).toBe("");
});
