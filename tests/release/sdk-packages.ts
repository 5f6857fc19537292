/**
 * Makes the packages of both SDKs: `bun tests/release/sdk-packages.ts [FOLDER]`, dist/sdk unless FOLDER says otherwise.
 *
 *     typescript/                   one ES module, its declarations, package.json, README
 *     python/                       the sources, pyproject.toml, README
 *     vantage-sdk-VERSION.tgz       for `npm publish`
 *     vantage_sdk-VERSION-….whl     for `twine upload`
 *
 * They are made, and published by nobody. The same sources and time give the same bytes.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix, resolve } from "node:path";
import ts from "typescript";
import packageJson from "../../package.json" with { type: "json" };
import { pythonFolder } from "../run/python-folder.ts";
import { runToEnd } from "../run/said.ts";
import { commitTimeSec } from "./commit-time.ts";

const root = join(import.meta.dirname, "../..");
const entry = "lib/engines/sdk/sdk.ts";

/** The npm package, into an empty folder. Throws an Error when it cannot be made. */
export async function makeTypescriptPackage(folder: string): Promise<void> {
  const { outputs } = await Bun.build({
    entrypoints: [join(root, entry)],
    target: "browser",
    format: "esm",
    minify: { syntax: true },
  });
  writeFile(join(folder, "index.js"), (await outputs[0]?.text()) ?? "");
  for (const [path, text] of declarations()) {
    writeFile(join(folder, "types", path), text);
  }
  const about = {
    name: "vantage-sdk",
    version: packageJson.version,
    description: "Internet measurements by the agents of a Vantage gateway",
    license: packageJson.license,
    keywords: ["internet measurement", "traceroute", "ping", "anycast", "bgp"],
    type: "module",
    sideEffects: false,
    engines: { node: ">=20.3" },
    types: "./types/engines/sdk/sdk.d.ts",
    exports: { ".": { types: "./types/engines/sdk/sdk.d.ts", default: "./index.js" } },
    files: ["index.js", "types"],
  };
  writeFile(join(folder, "package.json"), `${JSON.stringify(about, null, 2)}\n`);
  for (const [from, to] of [
    ["lib/engines/sdk/typescript/README.md", "README.md"],
    ["LICENSE", "LICENSE"],
  ] as const) {
    cpSync(join(root, from), join(folder, to));
  }
}

/** The Python package, into an empty folder: as its sources, with the version of the release. */
function makePythonPackage(folder: string): void {
  const source = join(root, "lib/engines/sdk/python");
  cpSync(source, folder, {
    recursive: true,
    filter: (path) => !/\/(__pycache__|\.mypy_cache)(\/|$)/.test(path),
  });
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  const text = readFileSync(join(source, "pyproject.toml"), "utf8");
  writeFile(
    join(folder, "pyproject.toml"),
    text.replace(/^version = .*$/m, `version = "${packageJson.version}"`),
  );
}

/** All of it, into a folder; returns what is missing, a sentence each. Throws an Error when it cannot be made. */
export async function makeSdkPackages(folder: string, madeAtSec: number): Promise<string[]> {
  await makeTypescriptPackage(join(folder, "typescript"));
  makePythonPackage(join(folder, "python"));
  return await makeSdkArchives({ npm: folder, pypi: folder, madeAtSec });
}

interface ArchivesOrder {
  /** Folders for the npm archive and the wheel. */
  readonly npm: string;
  readonly pypi: string;
  /** Seconds since the epoch. */
  readonly madeAtSec: number;
}

/** The files to publish; returns what is missing. Throws an Error when npm fails. */
export async function makeSdkArchives({ npm, pypi, madeAtSec }: ArchivesOrder): Promise<string[]> {
  await makeNpmArchive(npm);
  try {
    await makePythonWheel(pypi, madeAtSec);
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [`the wheel of the Python SDK, which python3 with venv makes (flit_core): ${reason}`];
  }
}

/** Its wheel in `folder`; returns the wheel's name. */
export async function makePythonWheel(folder: string, madeAtSec: number): Promise<string> {
  const sources = mkdtempSync(join(tmpdir(), "vantage-wheel-"));
  try {
    makePythonPackage(sources);
    const python = join(await pythonFolder("flit_core==3.12.0"), "bin/python");
    const build = "import sys; from flit_core import buildapi; print(buildapi.build_wheel(sys.argv[1]))";
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(madeAtSec) };
    return (await outputOf([python, "-c", build, folder], { cwd: sources, env })).trim();
  } finally {
    rmSync(sources, { recursive: true });
  }
}

/** The npm package as npm publishes it, in `folder`. */
async function makeNpmArchive(folder: string): Promise<void> {
  const sources = mkdtempSync(join(tmpdir(), "vantage-npm-"));
  try {
    await makeTypescriptPackage(sources);
    const pack = ["npm", "pack", "--silent", "--ignore-scripts", "--offline", "--pack-destination", folder];
    await outputOf(pack, { cwd: sources, env: process.env });
  } finally {
    rmSync(sources, { recursive: true });
  }
}

interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

async function outputOf(command: readonly string[], place: Place): Promise<string> {
  const { stdout, stderr, exitCode } = await runToEnd(command, place);
  if (exitCode !== 0) {
    throw new Error(`Cannot make the package: ${command[0]}: ${stderr.trim()}`);
  }
  return stdout;
}

/** Those of the entry and of all files that its declarations name; by path below lib. */
function declarations(): Map<string, string> {
  const found = new Map<string, string>();
  const queue = [entry];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const target = posix.relative("lib", path).replace(/\.ts$/, ".d.ts");
    if (found.has(target)) {
      continue;
    }
    const text = declarationOf(path);
    const named = [...text.matchAll(/from "(?<to>[^"]+)"/g)].map(({ groups = {} }) => groups.to ?? "");
    const foreign = named.find((name) => !name.startsWith("."));
    if (foreign !== undefined) {
      throw new Error(`Cannot publish ${path}: its declaration names ${foreign}, which users do not have`);
    }
    found.set(target, text.replaceAll(/from "([^"]+)\.ts"/g, 'from "$1.js"'));
    queue.push(...named.map((name) => posix.join(posix.dirname(path), name)));
  }
  return found;
}

function declarationOf(path: string): string {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(join(root, path), "utf8"), {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext, verbatimModuleSyntax: true },
  });
  const [problem] = diagnostics;
  if (problem !== undefined) {
    throw new Error(`Cannot publish ${path}: ${ts.flattenDiagnosticMessageText(problem.messageText, " ")}`);
  }
  return outputText;
}

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

if (import.meta.main) {
  const folder = resolve(Bun.argv[2] ?? join(root, "dist/sdk"));
  rmSync(folder, { recursive: true, force: true });
  const missing = await makeSdkPackages(folder, commitTimeSec());
  console.log(`Made ${folder}`);
  for (const sentence of missing) {
    console.error(`missing: ${sentence}`);
  }
}
