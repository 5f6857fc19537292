/** The Python SDK as its users have it: the wheel of a release, installed by pip into a folder of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePythonWheel } from "../../release/sdk-packages.ts";
import { pythonFolder } from "../../run/python-folder.ts";
import { runToEnd } from "../../run/said.ts";

const packages = [
  ...["httpx==0.28.1", "pandas==3.1.1", "pyarrow==26.0.1"],
  ...["flit_core==3.12.0", "mypy==2.4.1", "mcp==2.3.0"],
] as const;

export class PythonSdk implements Disposable {
  readonly python: string;
  readonly folder: string;
  /** For PYTHONPATH. */
  readonly site: string;

  private constructor(python: string, folder: string) {
    this.python = python;
    this.folder = folder;
    this.site = join(folder, "site");
  }

  /** With these packages besides. */
  static async install(...more: readonly string[]): Promise<PythonSdk> {
    const python = join(await pythonFolder(...packages, ...more), "bin/python");
    const sdk = new PythonSdk(python, mkdtempSync(join(tmpdir(), "vantage-python-")));
    const wheel = await makePythonWheel(sdk.folder, 1_700_000_000);
    const pip = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", sdk.site];
    await sdk.run([...pip, join(sdk.folder, wheel)]);
    return sdk;
  }

  /** What it prints; it has to succeed. */
  async run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    const { VANTAGE_GATEWAY: _, VANTAGE_TOKEN: __, ...clean } = process.env;
    const { stdout, stderr, exitCode } = await runToEnd([this.python, ...args], {
      cwd: this.folder,
      env: { ...clean, PYTHONPATH: this.site, ...env },
    });
    if (exitCode !== 0) {
      throw new Error(`python ${args[0]}: ${stdout}\n${stderr}`);
    }
    return stdout;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
