/** Folders of other programs, as Headscale's: a SQLite in use, links, sockets; and services that do not run. */
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { probingDatabase } from "../../upgrade/platform-contents.ts";
import { releases, releasesFolder, unpack } from "../../upgrade/release-files.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-backup-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const vantage = (...args: string[]) => runToEnd([...vantageCommand, ...args]);
/** Not root, and no user that anything runs as. */
const other = 12_345;

test("a SQLite in use, file modes, links; what is left out is named", async () => {
  const vpn = join(folder, "vpn");
  mkdirSync(join(vpn, "cache"), { recursive: true });
  using database = new Database(join(vpn, "db.sqlite"), { create: true });
  database.run("PRAGMA journal_mode = WAL");
  database.run("CREATE TABLE users (name TEXT)");
  database.run("INSERT INTO users VALUES ('anna')");
  database.run("BEGIN");
  database.run("INSERT INTO users VALUES ('not yet')");
  writeFileSync(join(vpn, "cache/noise.key"), "secret\n");
  chmodSync(join(vpn, "cache/noise.key"), 0o640);
  chmodSync(join(vpn, "cache"), 0o751);
  writeFileSync(join(folder, "certificate.pem"), "PEM\n");
  symlinkSync("../certificate.pem", join(vpn, "certificate.pem"));
  symlinkSync("/etc", join(vpn, "system"));
  const backup = join(vpn, "backup");
  const made = await vantage("backup", "--folder", vpn, backup);
  expect({ exitCode: made.exitCode, stderr: made.stderr }).toMatchObject({ exitCode: 0 });
  expect(made.stdout).toContain(`${join(vpn, "system")}: a link to a folder`);

  // Root's files get the owner of the folder that they are restored to.
  const target = join(folder, "restored");
  mkdirSync(target);
  chownSync(target, other, other);
  const data = await vantage("restore", "--only", "data", backup);
  expect([data.exitCode, existsSync(join(target, "db.sqlite"))]).toEqual([0, false]);
  const done = await vantage("restore", "--only", "files", "--folder", `${vpn}=${target}`, backup);
  expect({ exitCode: done.exitCode, stderr: done.stderr }).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(target, "backup"))).toBe(false);
  using copy = new Database(join(target, "db.sqlite"), { readonly: true });
  expect(copy.query("SELECT name FROM users").all()).toEqual([{ name: "anna" }]);
  const key = statSync(join(target, "cache/noise.key"));
  expect([key.mode & 0o777, key.uid]).toEqual([0o640, other]);
  expect(statSync(join(target, "cache")).mode & 0o777).toBe(0o751);
  expect(lstatSync(join(target, "certificate.pem")).isFile()).toBe(true);
  expect(readFileSync(join(target, "certificate.pem"), "utf8")).toBe("PEM\n");
});

test("of services that do not run nothing becomes root's", async () => {
  const stack = join(folder, "stack");
  unpack(join(releasesFolder, releases().at(-1) ?? "", "platform.tar.xz"), stack);
  rmSync(join(stack, "peering"), { recursive: true });
  {
    // As today's program leaves it.
    await using _database = await openDatabase(`pglite:${stack}/${probingDatabase}`, {
      applicationName: "test",
    });
  }
  Bun.spawnSync(["chown", "-R", `${other}:${other}`, stack]);
  const { exitCode, stderr } = await vantage("backup", "--stack", stack, join(folder, "stopped"));
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`failed: store chdb:${stack}/store: Cannot run the store`);
  expect(stderr).toContain("probing database");
  const found = Bun.spawnSync(["find", stack, "!", "-uid", String(other)]).stdout.toString();
  expect(found).toBe("");
  expect(existsSync(join(stack, "backup.done"))).toBe(false);
});

test("a manifest of others cannot write elsewhere, or into a statement", async () => {
  const backup = join(folder, "vpn/backup");
  const manifest = readFileSync(join(backup, "backup.json"), "utf8");
  const table = '{"table": "a; DROP", "columns": [], "rows": 0, "days": []}';
  const store = `{"from": "chdb:x", "schemaVersion": 1, "ttlDays": 7, "tables": [${table}]}`;
  for (const [from, to] of [
    ['"path": "db.sqlite"', '"path": "../db.sqlite"'],
    ['"file": "files/', '"file": "/etc/'],
    ['"stores": []', `"stores": [${store}]`],
  ] as const) {
    expect(manifest).toContain(from);
    writeFileSync(join(backup, "backup.json"), manifest.replace(from, to));
    const { exitCode, stderr } = await vantage("restore", "--check", backup);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Cannot use the backup");
  }
});
