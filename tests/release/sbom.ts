/**
 * What a release is made of, as CycloneDX 1.6 in JSON: each package of bun.lock with version, purl, hash and licence.
 *
 * Bun and libchdb are among them: the executable holds the one (`@oven/bun-linux-…`), the other lies beside it
 * (`@chdb/lib-linux-…`). What only the work bench needs is there with the scope `excluded`. No time and no random
 * number: the same lock file gives the same bytes.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type LockedPackage, lockedPackages } from "./lock-packages.ts";

interface Component {
  readonly type: "library";
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly scope: LockedPackage["scope"];
  readonly purl: string;
  readonly hashes: readonly { readonly alg: "SHA-512"; readonly content: string }[];
  /** Left out where the package is not for this machine, so not here to be asked. */
  readonly licenses?: readonly { readonly expression: string }[];
}

interface Sbom {
  readonly bomFormat: "CycloneDX";
  readonly specVersion: "1.6";
  readonly version: 1;
  readonly metadata: { readonly component: object };
  readonly components: readonly Component[];
}

/** `root` is the folder of the project, with its packages installed. */
export function sbomOf(root: string): Sbom {
  const { name, version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const packages = lockedPackages(readFileSync(join(root, "bun.lock"), "utf8"));
  const licenses = [{ expression: license }];
  const component = { type: "application", "bom-ref": `${name}@${version}`, name, version, licenses };
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component },
    components: packages.map((one) => componentOf(root, one)),
  };
}

function componentOf(root: string, { place, name, version, integrity, scope }: LockedPackage): Component {
  const expression = licenceOf(join(root, "node_modules", folderOf(place), "package.json"));
  return {
    type: "library",
    "bom-ref": place === name ? `${name}@${version}` : `${place}@${version}`,
    name,
    version,
    scope,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    hashes: [
      { alg: "SHA-512", content: Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex") },
    ],
    ...(expression === null ? {} : { licenses: [{ expression }] }),
  };
}

/** `a/@b/c/d` lies in `a/node_modules/@b/c/node_modules/d`. */
function folderOf(place: string): string {
  return (place.match(/@[^/]+\/[^/]+|[^/]+/g) ?? []).join("/node_modules/");
}

function licenceOf(path: string): string | null {
  if (!existsSync(path)) {
    return null;
  }
  const { license } = JSON.parse(readFileSync(path, "utf8"));
  return typeof license === "string" ? license : null;
}
