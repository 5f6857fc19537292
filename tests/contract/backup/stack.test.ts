/** A stack that runs is backed up and restored into an empty folder: every table is the same, and its users go on. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { encodeReply } from "../../../lib/net/wire/reply-codec.ts";
import { repliesTopic } from "../../../lib/net/wire/target-header.ts";
import { until } from "../../exchange/until.ts";
import { deviceLogin } from "../../issuer/device-login.ts";
import { longTest } from "../../run/long-test.ts";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { startPlatform } from "../../upgrade/platform-contents.ts";
import { releases, releasesFolder, unpack } from "../../upgrade/release-files.ts";
import type { Part } from "../store/processes.ts";
import { sampleReply } from "../store/samples.ts";
import { databaseRows, logRows, storeRows } from "./contents.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-backup-"));
const stack = join(folder, "stack");
const backup = join(folder, "backup");
const anywhere = ["--gateway-listen", "127.0.0.1:0", "--peering-listen", "127.0.0.1:0", "--issuer-port", "0"];
let running: Part;

const vantage = (...args: string[]) => runToEnd([...vantageCommand, ...args]);

interface User {
  readonly gateway: string;
  readonly peering: string;
  readonly token: string;
}

/** A user of a stack, with a login that its issuer really gave. */
async function logIn({ said }: Part): Promise<User> {
  const place = (name: string) => new RegExp(`^  ${name} +(\\S+)`, "m").exec(said.join("\n"))?.[1] ?? "";
  const { access_token: token } = await deviceLogin(place("issuer"), "anna");
  return { gateway: place("gateway"), peering: place("peering"), token };
}

async function ask(user: User, url: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url, { ...init, headers: { authorization: `Bearer ${user.token}` } });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${url}: ${response.status} ${text}`);
  }
  return text;
}

interface Measurement {
  readonly measurement_id: string;
}

async function measurementsOf(user: User): Promise<readonly Measurement[]> {
  return JSON.parse(await ask(user, `${user.gateway}api/measurements`));
}

const repliesOf = async (user: User, id: string) =>
  (await ask(user, `${user.gateway}api/measurements/${id}/replies?format=ndjson`)).trim().split("\n").sort();

/** Numbered, as agents publish them; `first` rises. */
async function publish(id: string, first: number, count: number): Promise<void> {
  await using broker = await openBroker(`embedded:${stack}/broker`);
  const records = Array.from({ length: count }, (_, i) => ({
    key: id,
    value: encodeReply(sampleReply(first + i)),
    headers: { measurement_id: id, producer: "west.1", sequence: String(first + i) },
  }));
  await broker.publish(repliesTopic, records);
}

beforeAll(async () => {
  unpack(join(releasesFolder, releases().at(-1) ?? "", "platform.tar.xz"), stack);
  // Of no stack: its keys are not kept.
  rmSync(join(stack, "peering"), { recursive: true });
  running = await startPlatform(stack, ...anywhere);
});

afterAll(async () => {
  await running[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test("every table is restored, and a user logs in and sees her results", async () => {
  const before = await logIn(running);
  const measurements = await measurementsOf(before);
  const [{ measurement_id: id = "" } = {}] = measurements;
  await ask(before, `${before.peering}api/user/asn`, { method: "POST" });
  await publish(id, 1, 500);
  const replies = await until("her replies", async () => {
    const found = await repliesOf(before, id);
    return found.length === 500 && found;
  });
  const asn = await ask(before, `${before.peering}api/user/info`);

  const made = await vantage("backup", "--stack", stack, backup);
  expect({ exitCode: made.exitCode, stderr: made.stderr }).toMatchObject({ exitCode: 0 });
  running.process.kill("SIGTERM");
  expect(await running.ended()).toBe(0);

  const restored = join(folder, "restored");
  const done = await vantage("restore", "--stack", restored, backup);
  expect({ exitCode: done.exitCode, stderr: done.stderr }).toMatchObject({ exitCode: 0 });
  for (const database of ["gateway/database", "peering-gateway/database"]) {
    expect(await databaseRows(`pglite:${join(restored, database)}`)).toEqual(
      await databaseRows(`pglite:${join(stack, database)}`),
    );
  }
  expect(await storeRows(`${restored}/store`)).toEqual(await storeRows(`${stack}/store`));
  expect(await logRows(join(restored, "broker"))).toEqual(await logRows(join(stack, "broker")));
  for (const file of ["gateway/admin.key", "peering-gateway/subject-keys", "peering-gateway/service.key"]) {
    expect(readFileSync(join(restored, file), "utf8")).toBe(readFileSync(join(stack, file), "utf8"));
  }

  running = await startPlatform(restored, ...anywhere);
  const after = await logIn(running);
  expect(await measurementsOf(after)).toEqual(measurements);
  expect(await repliesOf(after, id)).toEqual(replies);
  expect(await ask(after, `${after.peering}api/user/info`)).toBe(asn);
});

describe("a backup that cannot be trusted is refused, and nothing is written", () => {
  const target = join(folder, "refused");
  const restoreOf = async (name: string, spoil: (copy: string) => void) => {
    const copy = join(folder, name);
    cpSync(backup, copy, { recursive: true });
    spoil(copy);
    const { exitCode, stderr } = await vantage("restore", "--stack", target, copy);
    expect(exitCode).toBe(1);
    expect(existsSync(target)).toBe(false);
    return stderr;
  };

  test("a changed part", async () => {
    const said = await restoreOf("changed", (copy) => {
      const users = join(copy, "databases/probing/users.ndjson.zst");
      const bytes = readFileSync(users);
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      writeFileSync(users, bytes);
    });
    expect(said).toContain("databases/probing/users.ndjson.zst");
  });

  longTest("a missing part", async () => {
    const said = await restoreOf("missing", (copy) =>
      rmSync(join(copy, "databases/probing/users.ndjson.zst")),
    );
    expect(said).toContain("users.ndjson.zst: it is missing");
  });

  test("one that was killed, and leaves nothing in the database's folder", async () => {
    const killed = join(folder, "killed");
    const restored = join(folder, "restored");
    const temporary = join(folder, "temporary");
    mkdirSync(temporary);
    const making = Bun.spawn([...vantageCommand, "backup", "--stack", restored, killed], {
      env: { ...process.env, TMPDIR: temporary },
      stderr: "ignore",
    });
    const databases = join(killed, "databases");
    await until("the copy of a database", () => existsSync(databases) || making.exitCode !== null);
    making.kill("SIGKILL");
    await making.exited;
    expect(existsSync(join(killed, "backup.json"))).toBe(false);
    const { exitCode, stderr } = await vantage("restore", "--stack", target, killed);
    expect({ exitCode, isWritten: existsSync(target) }).toEqual({ exitCode: 1, isWritten: false });
    expect(stderr).toContain("the backup was interrupted");
    const home = join(restored, "gateway/database");
    await until("its end", () => !readdirSync(home).some((name) => /^copy-/.test(name)));
  });

  longTest("a newer format", async () => {
    const said = await restoreOf("newer", (copy) => {
      const manifest = readFileSync(join(copy, "backup.json"), "utf8");
      writeFileSync(join(copy, "backup.json"), manifest.replace('"format": 1', '"format": 2'));
    });
    expect(said).toContain("it has format 2, this program knows up to 1; install Vantage");
  });
});

test("a target with anything in it is listed, and left alone", async () => {
  const target = join(folder, "taken");
  mkdirSync(join(target, "gateway"), { recursive: true });
  writeFileSync(join(target, "gateway/admin.key"), "mine\n");
  const { exitCode, stderr } = await vantage("restore", "--stack", target, backup);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(join(target, "gateway/admin.key"));
  expect(readdirSync(target)).toEqual(["gateway"]);
  expect(readFileSync(join(target, "gateway/admin.key"), "utf8")).toBe("mine\n");
});

test("a folder with anything in it is not written to", async () => {
  const taken = join(folder, "taken-too");
  mkdirSync(taken);
  appendFileSync(join(taken, "notes"), "mine\n");
  const { exitCode, stderr } = await vantage("backup", "--stack", stack, taken);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("it is not empty: it has notes");
  expect(readdirSync(taken)).toEqual(["notes"]);
});
