/**
 * Plays an operator's afternoon with a Debian package, and prints how long each step took:
 *
 *     bun tests/operator-day/main.ts PACKAGE.deb
 *
 * As root; everything happens in namespaces of its own, and is gone afterwards.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { run } from "../lab/namespaces.ts";
import { Afternoon } from "./afternoon.ts";

const [, self = "", given = "", inside = ""] = process.argv;

async function enter(file: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "vantage-afternoon-"));
  const alone = [
    "--net",
    "--mount",
    "--pid",
    "--fork",
    "--kill-child",
    "--mount-proc",
    "--propagation",
    "private",
  ];
  const command = ["unshare", ...alone, process.execPath, self, file, folder];
  try {
    return await Bun.spawn(command, { stdin: "ignore", stdout: "inherit", stderr: "inherit" }).exited;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function play(file: string, folder: string): Promise<void> {
  await run(["mount", "-t", "tmpfs", "-o", "size=6g", "tmpfs", folder]);
  const steps = await (await Afternoon.begin(folder)).play(file);
  const sum = steps.reduce((total, { elapsedMs }) => total + elapsedMs, 0);
  for (const { what, elapsedMs } of [...steps, { what: "together", elapsedMs: sum }]) {
    process.stdout.write(`${(elapsedMs / 1000).toFixed(1).padStart(6)} s  ${what}\n`);
  }
  process.exit(0);
}

if (inside !== "") {
  await play(given, inside);
} else {
  process.exitCode = await enter(resolve(given));
}
