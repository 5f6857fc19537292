/** A store by the address of a server, with a password: its rows go to another store, and the password into no file. */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { TestStore } from "../store/processes.ts";

const vantage = (...args: string[]) => runToEnd([...vantageCommand, ...args]);

/** As one reaches a ClickHouse server; what answers is ClickHouse, too, if embedded. */
function serverAddress(store: TestStore): { readonly address: string; readonly password: string } {
  const { url, token } = JSON.parse(readFileSync(join(store.below("store"), "endpoint.json"), "utf8"));
  return { address: url.replace("http://", `http://vantage:${token}@`), password: token };
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

const rowsOf = async (store: TestStore, table: string) =>
  (await store.rows<object>(`SELECT * FROM ${table}`)).map((row) => JSON.stringify(row)).sort();

test("rows of all sorts, to the byte", async () => {
  await using from = await TestStore.start();
  await using to = await TestStore.start();
  const folder = mkdtempSync(join(tmpdir(), "vantage-backup-"));
  try {
    const texts = ["a\tb\nc\\d'", "\\N", "", "\u0000\u0001\u00ff", "ünïcödé"];
    const values = texts.map((text, i) => ({
      date: daysAgo(i),
      topic: text,
      raw_message: text,
      reason: "x",
    }));
    await from.store.client.insert({ table: "measure.replies_rejected", values, format: "JSONEachRow" });
    await from.command(
      "INSERT INTO measure.replies_rejected (date, raw_message) VALUES (today(), unhex('ff00fe0a5c09'))",
    );
    await from.command(
      `INSERT INTO bmp.updates (date, as_path, communities, extended_communities, announced, origin)
       VALUES (today(), [1, 2], [(1, 2), (3, 4)], [(1, 2, unhex('00ff0a'))], true, 'IGP')`,
    );
    // Who may see what, for an hour: it has no days, and is made again.
    await from.command(
      "INSERT INTO measure.readable (digest, first_source, last_source) VALUES ('x', toIPv6('::'), toIPv6('::'))",
    );
    const { address, password } = serverAddress(from);
    const file = join(folder, "address");
    writeFileSync(file, `${address}\n`);
    const backup = join(folder, "backup");
    const made = await vantage("backup", "--store", `@${file}`, backup);
    expect({ exitCode: made.exitCode, stderr: made.stderr }).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(backup, "backup.json"), "utf8") + made.stderr + made.stdout).not.toContain(
      password,
    );
    const done = await vantage("restore", "--store", serverAddress(to).address, backup);
    expect({ exitCode: done.exitCode, stderr: done.stderr }).toMatchObject({ exitCode: 0 });
    for (const table of ["measure.replies_rejected", "bmp.updates"]) {
      const rows = await rowsOf(from, table);
      expect(rows.length).toBeGreaterThan(0);
      expect(await rowsOf(to, table)).toEqual(rows);
    }
    const again = await vantage("restore", "--store", serverAddress(to).address, backup);
    expect(again.exitCode).toBe(1);
    expect(again.stderr).toContain("measure.replies_rejected, 6 rows");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
