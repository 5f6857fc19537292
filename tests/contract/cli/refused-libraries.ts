/** A machine that has none of our native libraries: programs started with `environment` cannot load any. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runToEnd } from "../../run/said.ts";

export class RefusedLibraries implements Disposable {
  readonly environment: Readonly<Record<string, string>>;
  readonly #folder: string;
  readonly #list: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#list = join(folder, "refused");
    this.environment = { LD_PRELOAD: join(folder, "refuse.so"), REFUSED_LIBRARIES: this.#list };
  }

  static async make(): Promise<RefusedLibraries> {
    const made = new RefusedLibraries(mkdtempSync(join(tmpdir(), "vantage-refused-")));
    const source = join(import.meta.dirname, "refused-libraries.c");
    const output = join(made.#folder, "refuse.so");
    const { stderr } = await runToEnd(["gcc", "-shared", "-fPIC", "-Wall", "-Werror", "-o", output, source]);
    if (stderr !== "") {
      throw new Error(`Cannot compile ${source}: ${stderr}`);
    }
    return made;
  }

  /** Names that were refused since the last call. */
  taken(): string[] {
    const names = existsSync(this.#list) ? readFileSync(this.#list, "utf8").trimEnd().split("\n") : [];
    rmSync(this.#list, { force: true });
    return names;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }
}
