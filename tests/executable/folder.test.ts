/** The folder of `npm run build` works where it is copied, started from an empty folder. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser } from "../browser/browser.ts";
import { logInWith } from "../browser/console-scenes.ts";
import { looks } from "../browser/tab.ts";
import { buildFolder } from "../build.ts";
import { operator } from "../contract/console/console-home.ts";
import { saidBy } from "./said-by.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-folder-"));
const stackLimitMs = 120_000;

const anyPort = "127.0.0.1:0";

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
      ...["--dir", "platform", "--listen", anyPort, "--issuer-port", "0"],
      ...["--gateway-listen", anyPort, "--peering-listen", anyPort],
    ];
    const settings = ["PATH=", `VANTAGE_OIDC__OPERATORS=${operator}`];
    await using stack = Bun.spawn(["env", "-i", ...settings, ...command], {
      ...{ cwd: empty, stdout: "pipe", stderr: "inherit" },
    });
    const said = await saidBy(stack.stdout, /(console +\S+[\s\S]*http:\S+health)/);
    const [page = "", ...others] = said.match(/http:\S+/g) ?? [];
    expect((await fetch(others.at(-1) ?? "")).status).toBe(200);
    await lookAt(page);
    stack.kill("SIGTERM");
    expect(await stack.exited).toBe(0);
  },
  stackLimitMs,
);

/** As tests/browser/console.test.ts does, which goes further: here all files come out of the executable. */
async function lookAt(page: string): Promise<void> {
  const { origin } = new URL(page);
  await using browser = await Browser.start();
  const tab = await browser.open(page);
  await logInWith(tab, `${origin}/`, operator);
  for (const path of ["/console", "/console/measurements", "/console/peering", "/console/operators"]) {
    await tab.go(`${origin}${path}`);
    for (const look of [looks.light, looks.dark]) {
      await tab.look(look);
      expect(await tab.violations()).toEqual([]);
    }
    const asked = await tab.eval<string[]>(
      "performance.getEntriesByType('resource').map(({ name }) => name)",
    );
    expect(asked.filter((name) => new URL(name).origin !== origin)).toEqual([]);
    expect(asked.map((name) => name.split(".").at(-1))).toEqual(expect.arrayContaining(["js", "css"]));
    // The issuer has no picture for its page; that is its own.
    expect(tab.complaints.filter((one) => one.includes(origin))).toEqual([]);
  }
}
