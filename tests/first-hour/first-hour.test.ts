/** A release of this tree: twice the same bytes, installed by dpkg, and the first hour of somebody who unpacks it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checksumsName } from "../release/checksums.ts";
import { makeRelease } from "../release/release.ts";
import { makeLargeFolder } from "../run/large-folder.ts";
import { runToEnd } from "../run/said.ts";
import { isLongRun } from "../run/tier.ts";
import { tryAptRepository } from "./apt-root.ts";
import { tryPackage } from "./dpkg-root.ts";
import { PackageLayout } from "./package-layout.ts";

const project = join(import.meta.dirname, "../..");
/** Mounts and namespaces. */
const asRoot = test.skipIf(process.getuid?.() !== 0);
const folder = makeLargeFolder("vantage-release-");
const release = join(folder, "release");
let missing: readonly string[] = [];

beforeAll(async () => {
  // Its contents are the same; packed as releases are, they take a minute of CPU.
  missing = await makeRelease(release, { packing: isLongRun ? "small" : "quick" });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** To its end; rejects with all that it says when it fails. */
async function run(command: readonly string[], cwd = project): Promise<string> {
  const { stdout: said, stderr: complaint, exitCode } = await runToEnd(command, { cwd });
  if (exitCode !== 0) {
    throw new Error(`${command.join(" ")}: exit code ${exitCode}\n${said}${complaint}`);
  }
  return said;
}

const version = /"version": "(.*)"/.exec(readFileSync(join(project, "package.json"), "utf8"))?.[1] ?? "";
const at = (name: string) => join(release, name);
const debian = process.arch === "x64" ? "amd64" : "arm64";

test("it has an archive and a package for each kind of machine; only what no registry has is missing", async () => {
  const sums = readFileSync(at(checksumsName), "utf8");
  expect(
    sums
      .trim()
      .split("\n")
      .map((line) => line.split("  ")[1]),
  ).toEqual([
    "CONTENTS.md",
    `vantage-${version}-linux-arm64.tar.gz`,
    `vantage-${version}-linux-x64.tar.gz`,
    `vantage-${version}-macos-arm64.tar.gz`,
    `vantage-${version}-macos-x64.tar.gz`,
    `vantage-${version}-windows-x64.tar.gz`,
    "vantage.cdx.json",
    `vantage_${version}_amd64.deb`,
    `vantage_${version}_arm64.deb`,
  ]);
  await run(["sha256sum", "--check", "--strict", checksumsName], release);
  for (const lack of missing) {
    expect(lack).toMatch(
      /^libchdb\.so is not in the release for (x64|arm64): npm package \S+: the registry does not/,
    );
  }
  const foreign = `vantage-${version}-linux-arm64`;
  await run(["tar", "-xzf", at(`${foreign}.tar.gz`), "-C", folder, `${foreign}/vantage`]);
  // ELF, e_machine 183 = AArch64.
  const head = await Bun.file(join(folder, foreign, "vantage"))
    .slice(0, 20)
    .bytes();
  expect([...head.subarray(0, 4), head[18]]).toEqual([0x7f, 0x45, 0x4c, 0x46, 183]);
});

test.each([
  // Mach-O of 64 bits, cputype arm64 and x86-64; MZ.
  ["macos-arm64", "vantage", [0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 1]],
  ["macos-x64", "vantage", [0xcf, 0xfa, 0xed, 0xfe, 0x07, 0, 0, 1]],
  ["windows-x64", "vantage.exe", [0x4d, 0x5a]],
] as const)(
  "the client for %s is one of its kind, and listed as not run here",
  async (machine, program, magic) => {
    const name = `vantage-${version}-${machine}`;
    await run(["tar", "-xzf", at(`${name}.tar.gz`), "-C", folder]);
    const head = await Bun.file(join(folder, name, program))
      .slice(0, magic.length)
      .bytes();
    expect([...head]).toEqual([...magic]);
    expect(readFileSync(join(folder, name, "README.md"), "utf8")).toContain("**Built, not run here**");
    const row = readFileSync(at("CONTENTS.md"), "utf8")
      .split("\n")
      .find((line) => line.includes(name));
    expect(row).toEndWith("; built, not run here |");
    rmSync(join(folder, name), { recursive: true });
  },
);

describe("laid out for package managers", () => {
  let layout: PackageLayout;
  beforeAll(async () => {
    layout = await PackageLayout.make(release, folder);
  });
  afterAll(() => layout?.[Symbol.dispose]());

  test("only images are missing, which buildah makes", async () => {
    expect(layout.missing).toEqual([expect.stringMatching(/^missing: oci\/ is empty: .*npm run images/)]);
    await run(["sha256sum", "--check", "--strict", "--quiet", checksumsName], layout.folder);
  });

  asRoot("apt installs from the signed repository, and refuses one that was changed", async () => {
    const { installed, changed, unsigned } = await tryAptRepository(join(layout.folder, "apt"));
    expect(installed).toContain(`Candidate: ${version}`);
    expect(installed).toContain(`vantage ${version} (`);
    expect(installed).not.toMatch(/^W:|not signed/m);
    expect(changed).toMatch(/Hash Sum mismatch|unexpected size/);
    expect(changed).toContain("refused");
    expect(unsigned).toMatch(/BADSIG|invalid/);
    expect(unsigned).toContain("refused");
  });

  test("pip finds the wheel, and npm installs the archive", async () => {
    const program =
      "import vantage, importlib.metadata as m; print(vantage.Client.__name__, m.version('vantage-sdk'))";
    expect(await layout.python(program)).toBe(`Client ${version}\n`);
    const said = await layout.node('import { Vantage } from "vantage-sdk"; console.log(typeof Vantage);');
    expect(said).toBe("function\n");
  });

  test("the formula names archives of the release by their checksums", () => {
    const sums = readFileSync(at(checksumsName), "utf8");
    const named = [...layout.formula.matchAll(/url "https:\/\/releases\.example\/(.+)"\n +sha256 "(.+)"/g)];
    expect(named).toHaveLength(4);
    for (const [, file, sha256] of named) {
      expect(sums).toContain(`${sha256}  ${file}\n`);
    }
  });
});

test("what its README names lies beside it, for who has nothing but the archive", async () => {
  const name = `vantage-${version}-linux-arm64`;
  const paths = new Set((await run(["tar", "-tzf", at(`${name}.tar.gz`)])).trim().split("\n"));
  const readme = await run(["tar", "-xzOf", at(`${name}.tar.gz`), `${name}/README.md`]);
  expect(readme).toContain(`This is ${name}:`);
  expect(readme).not.toContain("npm run");
  const named = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => `${name}/${path}`);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path) => !paths.has(path))).toEqual([]);
  const published = [`sdk/vantage_sdk-${version}-py3-none-any.whl`, `sdk/vantage-sdk-${version}.tgz`];
  for (const path of ["deploy/keycloak/realm.json", "deploy/kafka/start.sh", ...published]) {
    expect(paths).toContain(`${name}/${path}`);
  }
  expect([...paths].filter((path) => path.includes("/deploy/secrets"))).toEqual([]);
  const listed = await run(["dpkg-deb", "--contents", at(`vantage_${version}_arm64.deb`)]);
  expect(listed).toContain(" ./usr/share/doc/vantage/docs/start/first-measurement.md\n");
});

asRoot("the first hour goes as the guides say, from the archive, in an empty folder", async () => {
  const main = join(import.meta.dirname, "main.ts");
  const archive = at(`vantage-${version}-linux-${process.arch}.tar.gz`);
  const table = await run([process.execPath, main, archive], folder);
  console.log(table);
  const headings = ["Install", "A platform of your own", "Log in", "Measure", "An AS number and a prefix"];
  for (const heading of [...headings, "Look", "Give it back", "Together"]) {
    expect(table).toMatch(new RegExp(`^ *[\\d.]+ s  ${heading}`, "m"));
  }
});

asRoot(
  "dpkg installs the package in a root of its own, and the stack runs there as its own user",
  async () => {
    const parts = await tryPackage(at(`vantage_${version}_${debian}.deb`));
    expect(parts.get("files")?.split("\n")).toEqual([
      "/usr/lib/vantage/vantage 755 root:root",
      "/etc/vantage 755 root:root",
      "/usr/share/doc/vantage/examples/agent.yaml 644 root:root",
      "/usr/share/vantage/deploy/kafka/start.sh 755",
      "/usr/share/doc/vantage/deploy/caddy/Caddyfile 644",
      "/usr/share/vantage/sdk/typescript/index.js 644",
      "/usr/share/doc/vantage/compose.yaml 644",
    ]);
    // Its issuer lets anyone log in as anyone.
    expect(parts.get("stack-unit")).toBe(
      "ExecStart=/usr/bin/vantage stack --dir /var/lib/vantage/stack --no-gateway",
    );
    expect(parts.get("units")).toBe("");
    expect(parts.get("users")?.split("\n")).toEqual([
      "vantage-agent",
      "vantage-stack",
      "vantage-peering-gateway",
    ]);
    expect(parts.get("version")).toStartWith(`vantage ${version} (`);
    const [health, probing, peering, owner] = parts.get("stack")?.split("\n") ?? [];
    expect([health, owner]).toEqual([
      '{"status":"ok","reasons":[]}',
      "/var/lib/vantage/stack/store vantage-stack",
    ]);
    expect([probing, peering]).toEqual(Array(2).fill(expect.stringContaining('"status":"ready"')));
    // What somebody has written, and what services have kept, stays for good; nothing else does.
    expect(parts.get("removed")).toContain("agent.yaml");
    expect(parts.get("removed")).toContain("/var/lib/vantage stays");
    expect(parts.get("purged")).toBe("/etc/vantage:\nagent.yaml\n\n/var/lib/vantage:\nstack");
  },
);

const afternoons = [
  ["the package, a platform and an agent on two machines", `vantage_${version}_${debian}.deb`],
  ["the archive, everything on one machine", `vantage-${version}-linux-${process.arch}.tar.gz`],
] as const;

asRoot.each(afternoons)("an operator's afternoon with %s", async (_, file) => {
  const main = join(project, "tests/operator-day/main.ts");
  const table = await run([process.execPath, main, at(file)], folder);
  console.log(table);
  for (const step of ["vantage setup: the platform", "vantage setup again", "log in over TLS", "together"]) {
    expect(table).toMatch(new RegExp(`^ *[\\d.]+ s  ${step}`, "m"));
  }
});

test("what an operator reads for that has at most 3,000 words", () => {
  const page = readFileSync(join(project, "docs/operate/from-the-archive.md"), "utf8");
  expect(page.split(/\s+/).length).toBeLessThan(3000);
});

(isLongRun ? test : () => undefined)("made again in another folder, it has the same bytes", async () => {
  const copy = join(folder, "a/copy of the tree");
  mkdirSync(copy, { recursive: true });
  const without = ["--exclude=./node_modules", "--exclude=./dist", "--exclude=./.git"];
  await run(["sh", "-c", `tar ${without.join(" ")} -cf - . | tar -xf - -C '${copy}'`]);
  // Not a link to the folder: the packages would lie elsewhere, seen from the copy.
  await run(["sh", "-c", `cp -a --link node_modules '${copy}' 2>/dev/null || cp -a node_modules '${copy}'`]);
  const git = (await run(["git", "rev-parse", "--absolute-git-dir"])).trim();
  writeFileSync(join(copy, ".git"), `gitdir: ${git}\n`);
  // For one kind of machine, all of whose parts are made here: the other's library is the registry's, and large.
  const again = join(folder, "again");
  await run([process.execPath, "tests/release/release.ts", again, "arm64"], copy);
  const sums = (made: string) => readFileSync(join(made, checksumsName), "utf8").trim().split("\n");
  // CONTENTS.md lists what was made.
  const isOwn = (line: string) => !/x64|amd64|macos|CONTENTS/.test(line);
  const own = sums(release).filter(isOwn);
  expect(own).toHaveLength(3);
  expect(sums(again).filter(isOwn)).toEqual(own);
});
