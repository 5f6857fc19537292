/** The folder of `npm run build` works where it is copied, started from an empty folder. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildFolder } from "../build.ts";
import { saidBy } from "./said-by.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-folder-"));
const stackLimitMs = 120_000;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(
  "moved to another place, it runs the stack from an empty folder, by its own libchdb.so",
  async () => {
    const files = await buildFolder(join(folder, "built"));
    const names = files.map((file) => file.slice(join(folder, "built/").length));
    expect(names.filter((name) => !name.startsWith("man/"))).toEqual([
      ...["vantage", "libchdb.so"],
      ...["completions/vantage.bash", "completions/_vantage", "completions/vantage.fish"],
    ]);
    expect(names).toContain("man/man1/vantage-peering-prefix-request.1");
    renameSync(join(folder, "built"), join(folder, "moved"));
    const empty = join(folder, "empty");
    mkdirSync(empty);
    const command = [
      join(folder, "moved/vantage"),
      "stack",
      "--no-gateway",
      "--dir",
      "platform",
      "--listen",
      "127.0.0.1:0",
    ];
    await using stack = Bun.spawn(["env", "-i", "PATH=", ...command], {
      ...{ cwd: empty, stdout: "pipe", stderr: "inherit" },
    });
    const health = await saidBy(stack.stdout, /(http:\S+health)/);
    expect((await fetch(health)).status).toBe(200);
    stack.kill("SIGTERM");
    expect(await stack.exited).toBe(0);
  },
  stackLimitMs,
);
