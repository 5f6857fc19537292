/**
 * Files of an npm package for another kind of machine, which `npm install` leaves out here. npm itself fetches it; it
 * is kept in node_modules/.cache, and what bun.lock says of it must fit.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runToEnd } from "../run/said.ts";
import { lockedPackages } from "./lock-packages.ts";

const project = join(import.meta.dirname, "../..");
const cache = join(project, "node_modules/.cache/release");
/** A library of half a gigabyte, on a slow line. */
const fetchMsMax = 600_000;

type PackageFolder =
  | { readonly kind: "there"; readonly folder: string }
  /** The registry does not have it, or does not answer. */
  | { readonly kind: "missing"; readonly reason: string };

/** `version`: where bun.lock does not have it. Throws an Error when what came is not what bun.lock has. */
export async function packageFolder(name: string, version: string): Promise<PackageFolder> {
  const installed = join(project, "node_modules", name);
  if (existsSync(installed)) {
    return { kind: "there", folder: installed };
  }
  const folder = join(cache, `${name.replace("/", "-")}-${version}`);
  if (existsSync(folder)) {
    return { kind: "there", folder };
  }
  mkdirSync(cache, { recursive: true });
  const {
    stdout: said,
    stderr: complaint,
    exitCode,
  } = await runToEnd(
    ["npm", "pack", "--loglevel=error", "--json", "--pack-destination", cache, `${name}@${version}`],
    { timeout: fetchMsMax },
  );
  if (exitCode !== 0) {
    return { kind: "missing", reason: reasonIn(complaint) };
  }
  const [{ filename = "", integrity = "" } = {}] = JSON.parse(said) as Packed[];
  const archive = join(cache, filename);
  checkIntegrity({ name, version, archive, integrity });
  unpack(archive, folder);
  return { kind: "there", folder };
}

/** The version that a package of bun.lock has, or asks for. */
export function lockedVersion(name: string): string {
  const text = readFileSync(join(project, "bun.lock"), "utf8");
  const locked = lockedPackages(text).find((one) => one.name === name)?.version;
  const [, asked] = new RegExp(`"${name}": "(\\d[^"]*)"`).exec(text) ?? [];
  const version = locked ?? asked;
  if (version === undefined) {
    throw new Error(`Cannot find ${name} in bun.lock: nothing of ours needs it`);
  }
  return version;
}

interface Packed {
  readonly filename?: string;
  readonly integrity?: string;
}

interface Fetched {
  readonly name: string;
  readonly version: string;
  readonly archive: string;
  /** As npm has it, of what it has packed. */
  readonly integrity: string;
}

function checkIntegrity({ name, version, archive, integrity }: Fetched): void {
  const hash = new Bun.CryptoHasher("sha512").update(readFileSync(archive)).digest("base64");
  const locked = lockedPackages(readFileSync(join(project, "bun.lock"), "utf8")).find(
    (one) => one.name === name && one.version === version,
  );
  const expected = locked?.integrity ?? integrity;
  if (`sha512-${hash}` !== expected) {
    rmSync(archive);
    throw new Error(`Cannot use ${name}@${version}: its hash is not the one of bun.lock`);
  }
}

/** A folder gets its name when it is complete. */
function unpack(archive: string, folder: string): void {
  const making = `${folder}.new`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making);
  const tar = ["tar", "-xzf", archive, "-C", making, "--strip-components=1"];
  const { exitCode, stderr } = Bun.spawnSync(tar);
  if (exitCode !== 0) {
    throw new Error(`Cannot unpack ${archive}: ${stderr.toString().trim()}`);
  }
  rmSync(archive);
  renameSync(making, folder);
}

/** Without addresses: which registry it is, is the reader's own setting. */
function reasonIn(complaint: string): string {
  const [, code] = /npm error code (\w+)/.exec(complaint) ?? [];
  return code === "E404" ? "the registry does not have it" : `npm says ${code ?? "nothing"}`;
}
