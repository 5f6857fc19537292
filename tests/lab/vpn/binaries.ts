/**
 * Headscale and Tailscale, built by Go from the sources of the stated versions, and kept in a folder of node_modules
 * until the versions change: a build takes some minutes, a start after that none.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runToEnd } from "../../run/said.ts";
import { LabError } from "../namespaces.ts";

export const versions = { headscale: "v0.28.0", tailscale: "v1.94.2" } as const;
/** The oldest Go that both are built with. */
const goVersion = "1.26";

const ordinaryCache = join(import.meta.dirname, "../../../node_modules/.cache/vpn");
const programs = ["headscale", "tailscale", "tailscaled"] as const;

export type Binaries = Readonly<Record<(typeof programs)[number], string>>;

interface BuildPlaces {
  /** Where the programs are kept. */
  readonly cache: string;
  /** Where `go` is looked for, as PATH has it. */
  readonly path: string;
}

/** Rejects with LabError where Go is missing or a build fails. */
export async function binaries(
  say: (text: string) => void,
  { cache, path }: BuildPlaces = { cache: ordinaryCache, path: process.env.PATH ?? "" },
): Promise<Binaries> {
  const folder = join(cache, `${versions.headscale}-${versions.tailscale}`);
  const paths = Object.fromEntries(programs.map((name) => [name, join(folder, name)])) as Binaries;
  if (!programs.every((name) => existsSync(paths[name]))) {
    requireGo(path);
    await build(folder, say);
  }
  return paths;
}

function requireGo(path: string): void {
  if (Bun.which("go", { PATH: path }) === null) {
    const advice = `install Go ${goVersion} or newer, and try again`;
    throw new LabError(`Cannot build Headscale and Tailscale: there is no "go" in PATH; ${advice}`);
  }
}

async function build(folder: string, say: (text: string) => void): Promise<void> {
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  say(`Building Tailscale ${versions.tailscale} from its sources: some minutes, this once`);
  await buildTailscale(fresh, ["tailscaled", "tailscale"]);
  say(`Building Headscale ${versions.headscale} from its sources: some minutes, this once`);
  await goBuild(`github.com/juanfont/headscale@${versions.headscale}`, ["headscale"], {
    output: join(fresh, "headscale"),
  });
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
}

/** Into a folder that is there, for this kind of machine unless `arm64`. Rejects with LabError. */
export async function buildTailscale(
  folder: string,
  names: readonly string[],
  architecture?: "arm64",
): Promise<void> {
  const version = versions.tailscale;
  const stamps = ["longStamp", "shortStamp"].map(
    (name) => `-X tailscale.com/version.${name}=${version.slice(1)}`,
  );
  await goBuild(`tailscale.com@${version}`, names, {
    ...{ output: `${folder}/`, flags: ["-ldflags", stamps.join(" ")] },
    environment: architecture === undefined ? {} : { GOARCH: architecture },
  });
}

interface GoBuild {
  readonly output: string;
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Programs of a module, in the folder of its sources. */
async function goBuild(
  module: string,
  names: readonly string[],
  { output, flags = [], environment = {} }: GoBuild,
): Promise<void> {
  const { Dir: source } = JSON.parse(await go(["mod", "download", "-json", module], {})) as { Dir: string };
  const paths = names.map((name) => `./cmd/${name}`);
  await go(["-C", source, "build", "-trimpath", ...flags, "-o", output, ...paths], environment);
}

async function go(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<string> {
  const { stdout, stderr, exitCode } = await runToEnd(["nice", "go", ...args], {
    env: { ...process.env, CGO_ENABLED: "0", ...environment },
  });
  if (exitCode !== 0) {
    throw new LabError(`Cannot build: "go ${args.join(" ")}" says:\n${stderr.slice(-2000)}`);
  }
  return stdout;
}
