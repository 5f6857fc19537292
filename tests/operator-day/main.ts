/**
 * Plays an operator's afternoon, and prints how long each step took: with the package on two machines, with the archive
 * on one; there with Keycloak, where its folder is given (Maven has org.keycloak:keycloak-quarkus-dist:26.4.7:zip).
 *
 *     bun tests/operator-day/main.ts PACKAGE.deb|ARCHIVE.tar.gz [KEYCLOAK]
 *
 * As root; everything happens in namespaces of its own, and is gone afterwards.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { run } from "../lab/namespaces.ts";
import { playAfternoon } from "./afternoon.ts";
import { playKeycloakAfternoon } from "./keycloak-afternoon.ts";
import { playSmallAfternoon } from "./small-afternoon.ts";

const [, self = "", given = "", keycloak = "", inside = ""] = process.argv;

async function enter(file: string, keycloakFolder: string): Promise<number> {
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
  const command = ["unshare", ...alone, process.execPath, self, file, keycloakFolder, folder];
  try {
    return await Bun.spawn(command, { stdin: "ignore", stdout: "inherit", stderr: "inherit" }).exited;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function play(file: string, folder: string): Promise<void> {
  await run(["mount", "-t", "tmpfs", "-o", "size=6g", "tmpfs", folder]);
  if (keycloak !== "") {
    await playKeycloakAfternoon(folder, file, keycloak);
  } else {
    await (file.endsWith(".deb") ? playAfternoon : playSmallAfternoon)(folder, file);
  }
  // Services end with their namespace.
  process.exit(0);
}

if (inside !== "") {
  await play(given, inside);
} else {
  process.exitCode = await enter(resolve(given), keycloak === "" ? "" : resolve(keycloak));
}
