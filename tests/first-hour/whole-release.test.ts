/**
 * A release for every kind of machine: what it holds, that it can be made again, and package managers that install it.
 *
 * @tier long: it takes minutes to build and to pack, and changes seldom
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checksumsName } from "../release/checksums.ts";
import { tryAptRepository } from "./apt-root.ts";
import { PackageLayout } from "./package-layout.ts";
import { run, SharedRelease, version } from "./shared-release.ts";

/** Mounts and namespaces. */
const asRoot = test.skipIf(process.getuid?.() !== 0);
/** Half a gigabyte in each of four files, packed as small as can be. */
const packingMsMax = 1_200_000;
let release: SharedRelease;
beforeAll(async () => {
  release = await SharedRelease.open("whole-release");
}, packingMsMax);
afterAll(() => release?.[Symbol.dispose]());

test("it has an archive and a package for each kind of machine; only what no registry has is missing", async () => {
  const sums = readFileSync(release.at(checksumsName), "utf8");
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
  await run(["sha256sum", "--check", "--strict", checksumsName], release.folder);
  const contents = readFileSync(release.at("CONTENTS.md"), "utf8");
  for (const [, lack] of contents.matchAll(/^- (.*)$/gm)) {
    expect(lack).toMatch(
      /^libchdb\.so is not in the release for (x64|arm64): npm package \S+: the registry does not/,
    );
  }
  const foreign = `vantage-${version}-linux-arm64`;
  await run(["tar", "-xzf", release.at(`${foreign}.tar.gz`), "-C", release.work, `${foreign}/vantage`]);
  // ELF, e_machine 183 = AArch64.
  const head = await Bun.file(join(release.work, foreign, "vantage"))
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
    await run(["tar", "-xzf", release.at(`${name}.tar.gz`), "-C", release.work]);
    const head = await Bun.file(join(release.work, name, program))
      .slice(0, magic.length)
      .bytes();
    expect([...head]).toEqual([...magic]);
    expect(readFileSync(join(release.work, name, "README.md"), "utf8")).toContain("**Built, not run here**");
    const row = readFileSync(release.at("CONTENTS.md"), "utf8")
      .split("\n")
      .find((line) => line.includes(name));
    expect(row).toEndWith("; built, not run here |");
    rmSync(join(release.work, name), { recursive: true });
  },
);

describe("laid out for package managers", () => {
  let layout: PackageLayout;
  beforeAll(async () => {
    layout = await PackageLayout.make(release.folder, release.work);
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
    const sums = readFileSync(release.at(checksumsName), "utf8");
    const named = [...layout.formula.matchAll(/url "https:\/\/releases\.example\/(.+)"\n +sha256 "(.+)"/g)];
    expect(named).toHaveLength(4);
    for (const [, file, sha256] of named) {
      expect(sums).toContain(`${sha256}  ${file}\n`);
    }
  });
});

test("made again in another folder, it has the same bytes", async () => {
  const copy = join(release.work, "a/copy of the tree");
  mkdirSync(copy, { recursive: true });
  const without = ["--exclude=./node_modules", "--exclude=./dist", "--exclude=./.git"];
  await run(["sh", "-c", `tar ${without.join(" ")} -cf - . | tar -xf - -C '${copy}'`]);
  // Not a link to the folder: the packages would lie elsewhere, seen from the copy.
  await run(["sh", "-c", `cp -a --link node_modules '${copy}' 2>/dev/null || cp -a node_modules '${copy}'`]);
  const git = (await run(["git", "rev-parse", "--absolute-git-dir"])).trim();
  writeFileSync(join(copy, ".git"), `gitdir: ${git}\n`);
  // For one kind of machine, all of whose parts are made here: the other's library is the registry's, and large.
  const again = join(release.work, "again");
  await run([process.execPath, "tests/release/release.ts", again, "arm64"], copy);
  const sums = (made: string) => readFileSync(join(made, checksumsName), "utf8").trim().split("\n");
  // CONTENTS.md lists what was made.
  const isOwn = (line: string) => !/x64|amd64|macos|CONTENTS/.test(line);
  const own = sums(release.folder).filter(isOwn);
  expect(own).toHaveLength(3);
  expect(sums(again).filter(isOwn)).toEqual(own);
});
