/** Compiles assembly/ to build/hotpath.wasm, unless the module is newer than its sources (`--force`: always). */
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { memoryPages } from "./memory-layout.ts";

const root = join(import.meta.dir, "../..");
/**
 * Run as a process, not imported: its types would declare AssemblyScript's `console` for the whole project.
 */
const compiler = "node_modules/assemblyscript/bin/asc.js";
const output = "ffi/hotpath/build/hotpath.wasm";
const sources = [
  ...readdirSync(join(root, "ffi/hotpath/assembly")).map((name) => `ffi/hotpath/assembly/${name}`),
  "ffi/hotpath/memory-layout.ts",
  "ffi/hotpath/build.ts",
  "lib/net/wire/layout.ts",
];

function modifiedAtMs(path: string): number {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function build(): void {
  mkdirSync(join(root, "ffi/hotpath/build"), { recursive: true });
  const options = ["--runtime", "stub", "-O3", "--noAssert", "--converge", "--memoryBase", "1024"];
  const memory = ["--initialMemory", String(memoryPages), "--maximumMemory", String(memoryPages)];
  const features = ["--enable", "bulk-memory"];
  const { exitCode, stderr } = Bun.spawnSync({
    cmd: [
      ...[process.execPath, compiler, "ffi/hotpath/assembly/index.ts", "--outFile", output],
      ...[...options, ...memory, ...features],
    ],
    cwd: root,
  });
  if (exitCode !== 0) {
    throw new Error(`Cannot compile the hot path module: ${stderr.toString()}`);
  }
}

if (process.argv.includes("--force") || sources.some((path) => modifiedAtMs(path) > modifiedAtMs(output))) {
  build();
}
