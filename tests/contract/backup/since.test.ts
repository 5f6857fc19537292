/** Encrypted backups day after day: days that have not changed are linked, and each backup is whole by itself. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { TestStore } from "../store/processes.ts";
import { storeRows } from "./contents.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-backup-"));
const [first, second, restored] = ["first", "second", "restored"].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const keyFile = join(folder, "key");
const vantage = (...args: string[]) => runToEnd([...vantageCommand, ...args]);
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const days = `store/measure.replies_rejected`;
let store: TestStore;

const insert = (date: string, text: string) =>
  store.store.client.insert({
    table: "measure.replies_rejected",
    values: [{ date, raw_message: text }],
    format: "JSONEachRow",
  });

beforeAll(async () => {
  store = await TestStore.start();
  writeFileSync(keyFile, "a long passphrase of ours\n");
  writeFileSync(join(folder, "other-key"), "another long passphrase\n");
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test("only what has changed is copied", async () => {
  await insert(day(1), "of yesterday");
  await insert(day(0), "secret of today");
  const made = await vantage("backup", "--store", store.address, "--key-file", keyFile, first);
  expect({ exitCode: made.exitCode, stderr: made.stderr }).toMatchObject({ exitCode: 0 });
  await insert(day(0), "later");
  const place = ["--store", store.address, "--since", first];
  const again = await vantage("backup", ...place, "--key-file", keyFile, second);
  expect({ exitCode: again.exitCode, stderr: again.stderr }).toMatchObject({ exitCode: 0 });
  const inode = (backup: string, date: string) => statSync(join(backup, days, `${date}.tsv.zst.enc`)).ino;
  expect(inode(second, day(1))).toBe(inode(first, day(1)));
  expect(inode(second, day(0))).not.toBe(inode(first, day(0)));

  const withoutKey = await vantage("backup", ...place, join(folder, "plain"));
  expect(withoutKey.exitCode).toBe(1);
  expect(withoutKey.stderr).toContain("it is encrypted: give its passphrase with --key-file");
});

test("without the earlier one, and with the key alone, it is restored", async () => {
  const names = readdirSync(second, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  for (const { parentPath, name } of names) {
    const bytes = readFileSync(join(parentPath, name));
    expect([name, bytes.includes("secret of today"), bytes.includes("raw_message")]).toEqual([
      name,
      false,
      false,
    ]);
  }
  rmSync(first, { recursive: true });
  const target = ["--store", `chdb:${restored}`];
  for (const [key, why] of [
    [[], "it is encrypted"],
    [["--key-file", join(folder, "other-key")], "the passphrase is another one"],
  ] as const) {
    const refused = await vantage("restore", ...target, ...key, second);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain(why);
  }
  const done = await vantage("restore", ...target, "--key-file", keyFile, second);
  expect({ exitCode: done.exitCode, stderr: done.stderr }).toMatchObject({ exitCode: 0 });
  const { "measure.replies_rejected": rows = [] } = await storeRows(restored);
  const texts = rows.map((row) => (JSON.parse(row) as { raw_message: string }).raw_message).sort();
  expect(texts).toEqual(["later", "of yesterday", "secret of today"]);
});
