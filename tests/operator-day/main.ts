/**
 * Plays an operator's afternoon, and prints how long each step took: with the package on two machines, with the archive
 * on one; with `whole` the package in a fresh Debian, with Keycloak, wiped and restored; with `upgrade` from the former
 * release.
 *
 *     bun tests/operator-day/main.ts PACKAGE.deb|ARCHIVE.tar.gz
 *     bun tests/operator-day/main.ts PACKAGE.deb whole
 *     bun tests/operator-day/main.ts ARCHIVE.tar.gz upgrade
 *
 * As root; everything happens in namespaces of its own, and is gone afterwards.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { kafkaFiles } from "../kafka/kafka-files.ts";
import { keycloakFolder } from "../lab/containers/parts.ts";
import { run } from "../lab/namespaces.ts";
import { makeLargeFolder } from "../run/large-folder.ts";
import { playAfternoon } from "./afternoon.ts";
import { buildFormerRelease } from "./former-release.ts";
import { freshRoot } from "./fresh-root.ts";
import { playSmallAfternoon } from "./small-afternoon.ts";
import { playUpgrade } from "./upgrade-afternoon.ts";
import { playWholeAfternoon } from "./whole-afternoon.ts";

const [, self = "", given = "", what = "", inside = "", base = "", other = ""] = process.argv;

async function enter(file: string): Promise<number> {
  const isFresh = what !== "";
  // What is fetched is fetched before the network is left.
  const folder = isFresh
    ? makeLargeFolder("vantage-afternoon-")
    : mkdtempSync(join(tmpdir(), "vantage-afternoon-"));
  const parts = isFresh ? [await freshRoot(), await otherOf(folder)] : [];
  if (file.endsWith(".deb")) {
    await kafkaFiles();
  }
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
  const command = ["unshare", ...alone, process.execPath, self, file, what, folder, ...parts];
  try {
    return await Bun.spawn(command, { stdin: "ignore", stdout: "inherit", stderr: "inherit" }).exited;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function otherOf(folder: string): Promise<string> {
  if (what === "whole") {
    return await keycloakFolder();
  }
  const former = join(folder, "former");
  mkdirSync(former);
  return (await buildFormerRelease(former)).program;
}

async function play(file: string, folder: string): Promise<void> {
  if (what === "whole") {
    await playWholeAfternoon(folder, { base, packageFile: file, keycloak: other });
  } else if (what === "upgrade") {
    await playUpgrade(folder, { base, archive: file, former: other });
  } else {
    await run(["mount", "-t", "tmpfs", "-o", "size=6g", "tmpfs", folder]);
    await (file.endsWith(".deb") ? playAfternoon : playSmallAfternoon)(folder, file);
  }
  // Services end with their namespace.
  process.exit(0);
}

if (inside !== "") {
  await play(given, inside);
} else {
  process.exitCode = await enter(resolve(given));
}
