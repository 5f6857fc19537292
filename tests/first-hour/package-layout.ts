/** What `npm run packages` lays out, installed by the tools of its readers. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pythonFolder } from "../run/python-folder.ts";
import { runToEnd } from "../run/said.ts";

const program = join(import.meta.dirname, "../release/packages.ts");

export class PackageLayout implements Disposable {
  readonly folder: string;
  /** Lines. */
  readonly missing: readonly string[];
  readonly #work: string;

  private constructor(work: string, missing: readonly string[]) {
    this.#work = work;
    this.folder = join(work, "packages");
    this.missing = missing;
  }

  /** Lays a release out in `parent`, signed by an operator's key that is made for it. */
  static async make(release: string, parent: string): Promise<PackageLayout> {
    const work = mkdtempSync(join(parent, "packages-"));
    const gpg = { GNUPGHOME: join(work, "gnupg") };
    mkdirSync(gpg.GNUPGHOME, { mode: 0o700 });
    const quick = ["gpg", "--batch", "--passphrase", "", "--quick-gen-key", "operator@example.org"];
    await run([...quick, "ed25519", "sign"], gpg);
    const options = [
      "--url",
      "https://releases.example/",
      "--key",
      "operator@example.org",
      "--release",
      release,
    ];
    const command = [process.execPath, program, ...options, join(work, "packages")];
    const { stderr, exitCode } = await runToEnd(command, { env: { ...process.env, ...gpg } });
    await run(["gpgconf", "--kill", "gpg-agent"], gpg);
    if (exitCode !== 0) {
      throw new Error(`The packages cannot be laid out: ${stderr}`);
    }
    return new PackageLayout(work, stderr.trimEnd().split("\n"));
  }

  /** What a program prints that imports the wheel, found by its name. */
  async python(text: string): Promise<string> {
    const python = join(await pythonFolder("httpx==0.28.1"), "bin/python");
    const site = join(this.#work, "site");
    const pip = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", site];
    await run([python, ...pip, "--find-links", join(this.folder, "pypi"), "vantage-sdk"]);
    return await run([python, "-c", text], { PYTHONPATH: site });
  }

  /** What a program of Node prints that imports the npm package. */
  async node(text: string): Promise<string> {
    const folder = join(this.#work, "node");
    mkdirSync(folder);
    const [archive = ""] = [...new Bun.Glob("*.tgz").scanSync(join(this.folder, "npm"))];
    const install = [
      "npm",
      "install",
      "--silent",
      "--offline",
      "--no-audit",
      "--no-fund",
      "--prefix",
      folder,
    ];
    await run([...install, join(this.folder, "npm", archive)]);
    return await run(["node", "--input-type=module", "-e", text], {}, folder);
  }

  get formula(): string {
    return readFileSync(join(this.folder, "homebrew/Formula/vantage.rb"), "utf8");
  }

  [Symbol.dispose](): void {
    rmSync(this.#work, { recursive: true, force: true });
  }
}

async function run(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<string> {
  const place = cwd === undefined ? {} : { cwd };
  const { stdout, stderr, exitCode } = await runToEnd(command, { env: { ...process.env, ...env }, ...place });
  if (exitCode !== 0) {
    throw new Error(`${command.slice(0, 4).join(" ")}: ${stdout}${stderr}`);
  }
  return stdout;
}
