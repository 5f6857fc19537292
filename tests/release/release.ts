/**
 * Makes a release: `npm run release`, or `bun tests/release/release.ts [FOLDER [x64|arm64]]`, dist/release unless
 * FOLDER says otherwise, for both kinds of machine unless one is named.
 *
 *     vantage-VERSION-linux-x64.tar.gz      a folder that works wherever it is unpacked
 *     vantage-VERSION-linux-arm64.tar.gz
 *     vantage_VERSION_amd64.deb, vantage_VERSION_arm64.deb
 *     vantage-VERSION-macos-arm64.tar.gz, …-macos-x64, …-windows-x64: for users; not with one kind of machine alone
 *     CONTENTS.md                           what each file is, and which were not run here
 *     vantage.cdx.json                      what it is made of (sbom.ts)
 *     SHA256SUMS                            `sha256sum -c SHA256SUMS`
 *
 * The same commit gives the same bytes: times are the commit's, and everything else comes from it and from bun.lock.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { buildPages } from "../build.ts";
import { writeDocs } from "../reference/docs.ts";
import { type Packing, writeArchive } from "./archive.ts";
import { checksumsName, checksumsOf } from "./checksums.ts";
import { makeClientFolder } from "./client-archive.ts";
import { commitTimeSec } from "./commit-time.ts";
import { contentsOf } from "./contents.ts";
import { writeDebianPackage } from "./debian-package.ts";
import { type ClientMachine, clientMachines, type Machine, machines } from "./machines.ts";
import { makeProgramFolder } from "./program-folder.ts";
import { sbomOf } from "./sbom.ts";
import { makeSdkPackages } from "./sdk-packages.ts";

const project = join(import.meta.dirname, "../..");
const { version } = packageJson;

interface ReleaseOptions {
  readonly kinds?: readonly Machine[];
  /** Default: all with all kinds, else none. */
  readonly clients?: readonly ClientMachine[];
  readonly packing?: Packing;
  readonly say?: (line: string) => void;
}

/**
 * Returns what is missing in it, a sentence each; `say` hears what is made next. Throws an Error when it cannot be
 * made.
 */
export async function makeRelease(folder: string, options: ReleaseOptions = {}): Promise<string[]> {
  const { kinds = machines, packing = "small", say = () => undefined } = options;
  const { clients = kinds === machines ? clientMachines : [] } = options;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const madeAtSec = commitTimeSec();
  const work = mkdtempSync(join(folder, "work-"));
  try {
    const sbom = join(folder, "vantage.cdx.json");
    writeFileSync(sbom, `${JSON.stringify(sbomOf(project), null, 2)}\n`);
    const pages = join(work, "pages");
    await buildPages(pages);
    await writeDocs(join(pages, "docs"));
    const missing = await makeSdkPackages(join(pages, "sdk"), madeAtSec);
    for (const machine of kinds) {
      const name = `vantage-${version}-linux-${machine.name}`;
      const program = join(work, name);
      say(`building for ${machine.name}`);
      const lack = await makeProgramFolder({ folder: program, machine, pages, sbom });
      missing.push(...(lack === null ? [] : [lack]));
      say(`packing for ${machine.name}: archive, Debian package`);
      await writeArchive({ parent: work, name, file: join(folder, `${name}.tar.gz`), madeAtSec, packing });
      const file = join(folder, `vantage_${version}_${machine.debian}.deb`);
      const laidOut = join(work, "debian");
      writeDebianPackage({ program, machine, version, work: laidOut, file, madeAtSec, packing });
      rmSync(laidOut, { recursive: true });
    }
    for (const machine of clients) {
      const name = `vantage-${version}-${machine.name}`;
      say(`building and packing for ${machine.name}`);
      const lack = await makeClientFolder({ folder: join(work, name), machine, pages, sbom });
      if (lack === null) {
        await writeArchive({ parent: work, name, file: join(folder, `${name}.tar.gz`), madeAtSec, packing });
      } else {
        missing.push(lack);
      }
    }
    writeFileSync(join(folder, "CONTENTS.md"), contentsOf(readdirSync(folder), missing));
    return missing;
  } finally {
    rmSync(work, { recursive: true, force: true });
    writeFileSync(join(folder, checksumsName), await checksumsOf(folder));
  }
}

if (import.meta.main) {
  const folder = resolve(Bun.argv[2] ?? join(project, "dist/release"));
  const only = Bun.argv[3];
  const kinds = only === undefined ? machines : machines.filter(({ name }) => name === only);
  if (kinds.length === 0) {
    throw new Error(`Unknown kind of machine "${only}": ${machines.map(({ name }) => name).join(" or ")}`);
  }
  const missing = await makeRelease(folder, { kinds, say: (line) => process.stderr.write(`${line}\n`) });
  process.stderr.write(`made in ${folder}:\n`);
  process.stdout.write(await Bun.file(join(folder, checksumsName)).text());
  for (const sentence of missing) {
    process.stderr.write(`missing: ${sentence}\n`);
  }
}
