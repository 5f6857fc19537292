/** Releases of this tree, which the runner makes once for all files of the room (make-release.ts). */
import { rmSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { machines } from "../release/machines.ts";
import { makeLargeFolder } from "../run/large-folder.ts";
import { runToEnd } from "../run/said.ts";
import { sharedPart } from "../run/shared-part.ts";

export const project = join(import.meta.dirname, "../..");
export const { version } = packageJson;

const own = machines.find(({ name }) => name === process.arch);
if (own === undefined) {
  throw new Error(`No release is made for a machine of the kind ${process.arch}`);
}
export const ownMachine = own;
export const ownArchive = `vantage-${version}-linux-${own.name}`;
export const ownPackage = `vantage_${version}_${own.debian}.deb`;

export class SharedRelease implements Disposable {
  /** For what a file adds to it. */
  readonly work = makeLargeFolder("vantage-release-");
  readonly folder: string;

  private constructor(folder: string | null) {
    this.folder = folder ?? join(this.work, "release");
  }

  static async open(name: "release" | "whole-release" = "release"): Promise<SharedRelease> {
    const shared = await sharedPart(name);
    const release = new SharedRelease(shared);
    if (shared === null) {
      await run([process.execPath, join(import.meta.dirname, "make-release.ts"), name, release.folder]);
    }
    return release;
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  [Symbol.dispose](): void {
    rmSync(this.work, { recursive: true });
  }
}

/** To its end; what it printed. Rejects with all of that when it fails. */
export async function run(command: readonly string[], cwd = project): Promise<string> {
  const { stdout, stderr, exitCode } = await runToEnd(command, { cwd });
  if (exitCode !== 0) {
    throw new Error(`${command.join(" ")}: exit code ${exitCode}\n${stdout}${stderr}`);
  }
  return stdout;
}
