/**
 * Lays a release out for package managers: `npm run packages -- [--url URL] [--key KEY] [--release DIR] [FOLDER]`,
 * dist/packages unless FOLDER says otherwise, from dist/release, which `npm run release` makes.
 *
 *     apt/        a repository, signed by the operator's key: for a web server
 *     homebrew/   Formula/vantage.rb, for archives that lie at URL: for a tap's repository
 *     npm/        `npm publish FILE`
 *     pypi/       `twine upload FILE`
 *     oci/        what `npm run images` has made: `skopeo copy --all oci-archive:FILE docker://…`
 *     SHA256SUMS
 *
 * Nothing is published.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import packageJson from "../../package.json" with { type: "json" };
import { writeAptRepository } from "./apt-repository.ts";
import { checksumsName, checksumsOf } from "./checksums.ts";
import { commitTimeSec } from "./commit-time.ts";
import { homebrewFormula } from "./homebrew-formula.ts";
import { makeSdkArchives } from "./sdk-packages.ts";

const project = join(import.meta.dirname, "../..");
const { version } = packageJson;
const formulaMachines = ["macos-arm64", "macos-x64", "linux-arm64", "linux-x64"] as const;

interface PackagesOrder {
  /** The folder of a release. */
  readonly release: string;
  /** Where the release's files will be downloaded from; null = no formula. */
  readonly url: string | null;
  /** The key in gpg's keyring that signs; null = the repository is not signed. */
  readonly key: string | null;
  /** The folder of OCI archives. */
  readonly images: string;
}

/** Returns what is missing, a sentence each. Throws an Error when there is no release, or a tool fails. */
async function makePackages(folder: string, order: PackagesOrder): Promise<string[]> {
  const names = existsSync(order.release) ? readdirSync(order.release) : [];
  const packages = names.filter((name) => name.endsWith(".deb")).map((name) => join(order.release, name));
  if (packages.length === 0) {
    throw new Error(`Cannot lay out packages: ${order.release} has no release; run npm run release first`);
  }
  rmSync(folder, { recursive: true, force: true });
  for (const name of ["apt", "homebrew/Formula", "npm", "pypi", "oci"]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  const madeAtSec = commitTimeSec();
  await writeAptRepository({ folder: join(folder, "apt"), packages, madeAtSec, key: order.key });
  const missing = order.key === null ? ["apt/ is not signed: name a key of gpg's keyring with --key"] : [];
  missing.push(...writeFormula(folder, names, order));
  missing.push(
    ...(await makeSdkArchives({ npm: join(folder, "npm"), pypi: join(folder, "pypi"), madeAtSec })),
  );
  missing.push(...copyImages(join(folder, "oci"), order.images));
  writeFileSync(join(folder, checksumsName), await checksumsOf(folder));
  return missing;
}

function writeFormula(folder: string, names: readonly string[], { release, url }: PackagesOrder): string[] {
  if (url === null) {
    return ["homebrew/ is empty: name the address of the release's files with --url"];
  }
  const sums = readFileSync(join(release, checksumsName), "utf8");
  const archives = formulaMachines.flatMap((machine) => {
    const file = `vantage-${version}-${machine}.tar.gz`;
    const [, sha256] = new RegExp(`^([0-9a-f]{64})  ${RegExp.escape(file)}$`, "m").exec(sums) ?? [];
    return names.includes(file) && sha256 !== undefined ? [{ machine, file, sha256 }] : [];
  });
  writeFileSync(join(folder, "homebrew/Formula/vantage.rb"), homebrewFormula({ version, url, archives }));
  return formulaMachines
    .filter((machine) => !archives.some((archive) => archive.machine === machine))
    .map((machine) => `the formula has no archive for ${machine}: it is not in the release`);
}

function copyImages(folder: string, images: string): string[] {
  const names = existsSync(images) ? readdirSync(images).filter((name) => name.endsWith(".oci.tar")) : [];
  for (const name of names) {
    copyFileSync(join(images, name), join(folder, name));
  }
  return names.length > 0
    ? []
    : [`oci/ is empty: ${images} has no images; npm run images makes them, with buildah`];
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    args: Bun.argv.slice(2),
    allowPositionals: true,
    options: { url: { type: "string" }, key: { type: "string" }, release: { type: "string" } },
  });
  const folder = resolve(positionals[0] ?? join(project, "dist/packages"));
  const missing = await makePackages(folder, {
    release: resolve(values.release ?? join(project, "dist/release")),
    url: values.url?.replace(/\/+$/, "") ?? null,
    key: values.key ?? null,
    images: join(project, "dist/images"),
  });
  process.stdout.write(await Bun.file(join(folder, checksumsName)).text());
  for (const sentence of missing) {
    process.stderr.write(`missing: ${sentence}\n`);
  }
}
