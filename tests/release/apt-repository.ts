/** An apt repository: files that a web server hands out as they are (wiki.debian.org/DebianRepository/Format). */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { runToEnd } from "../run/said.ts";

interface AptOrder {
  readonly folder: string;
  readonly packages: readonly string[];
  /** Seconds since the epoch. */
  readonly madeAtSec: number;
  /** Which key of gpg's keyring signs it; null = nobody. */
  readonly key: string | null;
}

const pool = "pool/main/v/vantage";
const suite = "stable";

/** Throws an Error with what dpkg-deb or gpg says. */
export async function writeAptRepository({ folder, packages, madeAtSec, key }: AptOrder): Promise<void> {
  const lists = new Map<string, string[]>();
  for (const path of packages) {
    const file = join(pool, basename(path));
    mkdirSync(join(folder, pool), { recursive: true });
    copyFileSync(path, join(folder, file));
    const control = await output(["dpkg-deb", "--field", path]);
    const [, architecture = ""] = /^Architecture: (.+)$/m.exec(control) ?? [];
    const { size, sha256 } = await digestOf(path);
    const entry = `${control.trim()}\nFilename: ${file}\nSize: ${size}\nSHA256: ${sha256}\n`;
    lists.set(architecture, [...(lists.get(architecture) ?? []), entry]);
  }
  const root = join(folder, "dists", suite);
  const files: string[] = [];
  for (const [architecture, entries] of lists) {
    const name = `main/binary-${architecture}/Packages`;
    mkdirSync(dirname(join(root, name)), { recursive: true });
    const text = entries.join("\n");
    writeFileSync(join(root, name), text);
    writeFileSync(join(root, `${name}.gz`), Bun.gzipSync(text, { library: "libdeflate", level: 9 }));
    files.push(name, `${name}.gz`);
  }
  writeFileSync(join(root, "Release"), await releaseText(root, files, [...lists.keys()], madeAtSec));
  if (key !== null) {
    await sign(folder, root, key);
  }
  writeFileSync(join(folder, "vantage.sources"), sources(key !== null));
}

async function releaseText(
  root: string,
  files: readonly string[],
  architectures: readonly string[],
  madeAtSec: number,
): Promise<string> {
  const sums = await Promise.all(
    files.map(async (name) => {
      const { size, sha256 } = await digestOf(join(root, name));
      return ` ${sha256} ${size} ${name}\n`;
    }),
  );
  return `Origin: Vantage
Label: Vantage
Suite: ${suite}
Codename: ${suite}
Date: ${new Date(1000 * madeAtSec).toUTCString().replace("GMT", "UTC")}
Architectures: ${architectures.toSorted().join(" ")}
Components: main
Description: Internet measurement and BGP experiments
SHA256:
${sums.join("")}`;
}

async function sign(folder: string, root: string, key: string): Promise<void> {
  const gpg = ["gpg", "--batch", "--yes", "--local-user", key];
  await output([...gpg, "--clearsign", "--output", join(root, "InRelease"), join(root, "Release")]);
  const detached = join(root, "Release.gpg");
  await output([...gpg, "--armor", "--detach-sign", "--output", detached, join(root, "Release")]);
  await output([...gpg, "--export", "--output", join(folder, "vantage-archive-keyring.pgp"), key]);
}

/** The file of a machine that installs from it. */
function sources(isSigned: boolean): string {
  const trust = isSigned ? "Signed-By: /etc/apt/keyrings/vantage-archive-keyring.pgp" : "Trusted: yes";
  return `Types: deb\nURIs: https://packages.example/apt\nSuites: ${suite}\nComponents: main\n${trust}\n`;
}

async function digestOf(path: string) {
  const bytes = readFileSync(path);
  return { size: bytes.length, sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex") };
}

async function output(command: readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await runToEnd(command);
  if (exitCode !== 0) {
    throw new Error(`Cannot make the apt repository: ${command[0]}: ${stderr.trim()}`);
  }
  return stdout;
}
