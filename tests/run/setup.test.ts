/** tests/setup.sh installs npm packages again when the lock or a patch of ours has changed, and only then. */
import { expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "../..");
const patch = "lib/engines/store/postgres/postgres@3.4.9.patch";

test("packages are installed again after a change of the lock or of a patch", () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-setup-"));
  try {
    for (const file of ["tests/setup.sh", "bun.lock", "package.json", patch]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(root, file), join(folder, file));
    }
    mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
    standIn(join(folder, "node_modules/.bin/bun"), "");
    standIn(join(folder, "npx"), 'echo "$@" >>installed');
    expect(installs(folder)).toBe(1);
    expect(installs(folder)).toBe(1);
    appendFileSync(join(folder, patch), "\n# changed");
    expect(installs(folder)).toBe(2);
    appendFileSync(join(folder, "bun.lock"), "\n// changed");
    expect(installs(folder)).toBe(3);
    expect(installs(folder)).toBe(3);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Runs it, and counts what it has installed until now. */
function installs(folder: string): number {
  const { exitCode, stderr } = Bun.spawnSync(["sh", "tests/setup.sh", "build"], {
    cwd: folder,
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
  });
  expect(stderr.toString()).toBe("");
  expect(exitCode).toBe(0);
  const journal = join(folder, "installed");
  return existsSync(journal) ? readFileSync(journal, "utf8").trim().split("\n").length : 0;
}

function standIn(path: string, command: string): void {
  writeFileSync(path, `#!/bin/sh\n${command}\n`);
  chmodSync(path, 0o755);
}
