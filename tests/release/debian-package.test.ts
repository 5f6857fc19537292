/** The package as dpkg of older systems reads it, and the same bytes each time. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { writeDebianPackage } from "./debian-package.ts";
import { type Machine, machines } from "./machines.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-deb-"));
afterAll(() => rmSync(folder, { recursive: true }));

const [machine] = machines as readonly [Machine, ...Machine[]];

/** What a program folder has, each file with a few bytes; the program with many, in several blocks of xz. */
const files: Readonly<Record<string, string>> = {
  vantage: Array.from({ length: 400_000 }, (_, index) => `${index} `).join(""),
  "completions/vantage.bash": "a",
  "completions/_vantage": "b",
  "completions/vantage.fish": "c",
  "man/man1/vantage.1": ".TH",
  "docs/README.md": "# Docs",
  "README.md": "# Vantage",
  LICENSE: "licence",
  "CHANGELOG.md": "# Changelog",
  "vantage.cdx.json": "{}",
  "deploy/caddy/Caddyfile": "{}",
  "sdk/python/pyproject.toml": "[project]",
  "compose.yaml": "services: {}",
  "compose.client.yaml": "services: {}",
};

/** Laid out anew each time, in either order, as the package takes files out of the folder. */
function packageOf(name: string, paths: readonly string[]): string {
  const program = join(folder, name, "program");
  for (const path of paths) {
    mkdirSync(dirname(join(program, path)), { recursive: true });
    writeFileSync(join(program, path), files[path] ?? "");
  }
  const file = join(folder, `${name}.deb`);
  const order = { program, machine, version: "9.9.9", work: join(folder, name, "work"), file };
  writeDebianPackage({ ...order, madeAtSec: 1_700_000_000, packing: "small" });
  return file;
}

function run(command: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command]);
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  return stdout.toString();
}

const paths = Object.keys(files);
const one = packageOf("one", paths);

test("its parts are packed by xz, which dpkg has had since 1.15.6", () => {
  const members = run(["ar", "t", one]).trim().split("\n");
  expect(members).toEqual(["debian-binary", "control.tar.xz", "data.tar.xz"]);
  expect(run(["sh", "-c", `ar p ${one} data.tar.xz | xz -dc | tar -t`])).toContain(
    "./usr/lib/vantage/vantage\n",
  );
  expect(run(["dpkg-deb", "--field", one, "Version", "Depends"])).toContain("Depends: libc6 (>= 2.31)");
});

test("the same files give the same bytes, in whatever order they were made", () => {
  expect(readFileSync(packageOf("two", paths.toReversed())).equals(readFileSync(one))).toBe(true);
});

/** Beyond it are only complaints about programs, which this package has none of. */
test.skipIf(Bun.which("lintian") === null)("lintian finds no error in it", () => {
  const command = ["lintian", "--allow-root", "--fail-on", "none", "--tag-display-limit", "0", one];
  // It leaves its databases behind.
  const { stdout } = Bun.spawnSync(command, { env: { ...process.env, TMPDIR: folder } });
  const errors = stdout
    .toString()
    .split("\n")
    .filter((line) => line.startsWith("E:"));
  expect(errors).toEqual([]);
});
