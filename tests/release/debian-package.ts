/**
 * The Debian package, the same bytes for the same files. It is packed by xz, which every dpkg unpacks; that of Debian
 * unpacks zstd from 12 on, and the programs run on 11 (glibc 2.31). Level 1 takes 25 s for libchdb.so and is smaller
 * than zstd was; level 6 takes seven minutes. A quick package is not packed at all.
 *
 *     /usr/bin/vantage              a link to /usr/lib/vantage/vantage, beside which libchdb.so lies
 *     /usr/lib/systemd/system       a unit for each service, as vantage install-service has it
 *     /usr/lib/sysusers.d           their users
 *     /etc/vantage                  empty: for configurations, which vantage setup writes
 *     /usr/share/vantage            deploy, sdk, compose.yaml, compose.client.yaml
 *     /usr/share                    completions, man pages, /usr/share/doc/vantage
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { libraryName } from "../../ffi/libchdb.ts";
import type { Packing } from "./archive.ts";
import {
  afterInstall,
  afterRemoval,
  beforeRemoval,
  changelogText,
  controlText,
  copyrightText,
  exampleFiles,
  lintianOverrides,
  serviceFiles,
} from "./debian-files.ts";
import type { Machine } from "./machines.ts";

interface PackageOrder {
  /** As makeProgramFolder leaves it; what is large moves out of it. */
  readonly program: string;
  readonly machine: Machine;
  readonly version: string;
  /** Is made anew. */
  readonly work: string;
  readonly file: string;
  readonly madeAtSec: number;
  readonly packing: Packing;
}

const completionPlaces = {
  "vantage.bash": "/usr/share/bash-completion/completions/vantage",
  _vantage: "/usr/share/zsh/vendor-completions/_vantage",
  "vantage.fish": "/usr/share/fish/vendor_completions.d/vantage.fish",
} as const;

/** What operators copy from, with its mode. */
const shared = { deploy: 0o755, sdk: 0o755, "compose.yaml": 0o644, "compose.client.yaml": 0o644 } as const;

const compression = { small: ["-Zxz", "-z1", "--threads-max=1"], quick: ["-Znone"] } as const;

/** Throws an Error with what dpkg-deb says. */
export function writeDebianPackage(order: PackageOrder): void {
  const { program, work, machine, version, file, madeAtSec, packing } = order;
  rmSync(work, { recursive: true, force: true });
  layOut(program, work);
  writeAt(work, "/usr/share/doc/vantage/changelog.gz", packed(changelogText(version, madeAtSec)));
  const installedKb = Math.ceil(bytesIn(work) / 1024);
  writeControl(work, controlText({ version, architecture: machine.debian, installedKb }));
  for (const path of everyPath(work)) {
    utimesSync(path, madeAtSec, madeAtSec);
  }
  const command = ["dpkg-deb", "--build", "--root-owner-group", ...compression[packing], work, file];
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(madeAtSec) };
  const { exitCode, stderr } = Bun.spawnSync(command, { env });
  if (exitCode !== 0) {
    throw new Error(`Cannot make ${file}: ${stderr.toString().trim()}`);
  }
}

function layOut(program: string, work: string): void {
  const place = (from: string, to: string, mode: number) => {
    const target = join(work, to);
    mkdirSync(dirname(target), { recursive: true });
    renameSync(from, target);
    chmodSync(target, mode);
  };
  const write = (to: string, content: string | Uint8Array) => writeAt(work, to, content);
  place(join(program, "vantage"), "/usr/lib/vantage/vantage", 0o755);
  if (existsSync(join(program, libraryName))) {
    place(join(program, libraryName), `/usr/lib/vantage/${libraryName}`, 0o644);
  }
  mkdirSync(join(work, "usr/bin"));
  symlinkSync("../lib/vantage/vantage", join(work, "usr/bin/vantage"));
  for (const [name, path] of Object.entries(completionPlaces)) {
    write(path, readFileSync(join(program, "completions", name)));
  }
  for (const name of readdirSync(join(program, "man/man1"))) {
    write(`/usr/share/man/man1/${name}.gz`, packed(readFileSync(join(program, "man/man1", name))));
  }
  place(join(program, "docs"), "/usr/share/doc/vantage/docs", 0o755);
  for (const [name, mode] of Object.entries(shared)) {
    place(join(program, name), `/usr/share/vantage/${name}`, mode);
    // Pages refer to it from where they are.
    symlinkSync(`../../vantage/${name}`, join(work, "usr/share/doc/vantage", name));
  }
  write("/usr/share/doc/vantage/README.md", readFileSync(join(program, "README.md")));
  write("/usr/share/doc/vantage/copyright", copyrightText);
  write("/usr/share/doc/vantage/CHANGELOG.md.gz", packed(readFileSync(join(program, "CHANGELOG.md"))));
  write("/usr/share/doc/vantage/vantage.cdx.json", readFileSync(join(program, "vantage.cdx.json")));
  for (const { path, text } of [...serviceFiles(), ...exampleFiles()]) {
    write(path, text);
  }
  write("/usr/share/lintian/overrides/vantage", lintianOverrides);
  mkdirSync(join(work, "etc/vantage"), { recursive: true });
}

function writeAt(work: string, path: string, content: string | Uint8Array): void {
  const target = join(work, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
  chmodSync(target, 0o644);
}

function packed(content: string | Uint8Array<ArrayBuffer>): Uint8Array {
  return Bun.gzipSync(content, { library: "libdeflate", level: 9 });
}

function writeControl(work: string, control: string): void {
  const folder = join(work, "DEBIAN");
  const sums = everyPath(work)
    .filter((path) => statSync(path).isFile())
    .map((path) => `${md5Of(path)}  ${path.slice(work.length + 1)}\n`);
  mkdirSync(folder);
  const texts = {
    control: [control, 0o644],
    md5sums: [sums.join(""), 0o644],
    postinst: [afterInstall(), 0o755],
    prerm: [beforeRemoval(), 0o755],
    postrm: [afterRemoval(), 0o755],
  } as const;
  for (const [name, [text, mode]] of Object.entries(texts)) {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), mode);
  }
  for (const path of everyPath(work).filter((one) => statSync(one).isDirectory())) {
    chmodSync(path, 0o755);
  }
}

/** In order, links left out: what they lead to is there under its own name. */
function everyPath(folder: string): string[] {
  const below = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink())
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? everyPath(path) : [path];
    });
  return [folder, ...below.sort()];
}

function bytesIn(folder: string): number {
  return everyPath(folder).reduce(
    (sum, path) => sum + (statSync(path).isFile() ? statSync(path).size : 0),
    0,
  );
}

/** dpkg --verify reads these; they protect against damage, not against people. */
function md5Of(path: string): string {
  return new Bun.CryptoHasher("md5").update(readFileSync(path)).digest("hex");
}
