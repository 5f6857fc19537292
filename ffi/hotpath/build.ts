/** Compiles assembly/ to build/hotpath.wasm, unless the module is newer than its sources (`--force`: always). */
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { main as assemblyScript } from "assemblyscript/asc";
import { memoryPages } from "./memory-layout.ts";

const root = join(import.meta.dir, "../..");
const output = "ffi/hotpath/build/hotpath.wasm";
const sources = [
  ...readdirSync(join(root, "ffi/hotpath/assembly")).map((name) => `ffi/hotpath/assembly/${name}`),
  "ffi/hotpath/memory-layout.ts",
  "ffi/hotpath/build.ts",
  "lib/wire/layout.ts",
];

function modifiedAtMs(path: string): number {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

async function build(): Promise<void> {
  mkdirSync(join(root, "ffi/hotpath/build"), { recursive: true });
  const options = ["--runtime", "stub", "-O3", "--noAssert", "--converge", "--memoryBase", "1024"];
  const memory = ["--initialMemory", String(memoryPages), "--maximumMemory", String(memoryPages)];
  const features = ["--enable", "bulk-memory"];
  const { error, stderr } = await assemblyScript([
    "ffi/hotpath/assembly/index.ts",
    "--outFile",
    output,
    "--baseDir",
    root,
    ...options,
    ...memory,
    ...features,
  ]);
  if (error !== null) {
    throw new Error(`Cannot compile the hot path module: ${error.message}\n${stderr.toString()}`);
  }
}

if (process.argv.includes("--force") || sources.some((path) => modifiedAtMs(path) > modifiedAtMs(output))) {
  await build();
}
