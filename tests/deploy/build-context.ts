/** What a container engine gives to the builder: files that `.dockerignore` lets through, where COPY puts them. */
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Copy, type Instruction } from "dockerfile-ast";
import { projectRoot } from "./compose-file.ts";

interface Rule {
  readonly glob: Bun.Glob;
  readonly lets: boolean;
}

/** In the order of the file: the last rule that fits decides. */
function rules(): Rule[] {
  const lines = readFileSync(join(projectRoot, ".dockerignore"), "utf8").split("\n");
  return lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ glob: new Bun.Glob(line.replace(/^!/, "")), lets: line.startsWith("!") }));
}

const known = rules();

/** Whether the builder sees this file; a rule about a folder is one about all that is in it. */
function reachesBuilder(path: string): boolean {
  const parts = path.split("/");
  const places = parts.map((_, i) => parts.slice(0, i + 1).join("/"));
  return known.findLast(({ glob }) => places.some((place) => glob.match(place)))?.lets ?? true;
}

/** Paths of all files below a path of the project that the builder sees. */
export function filesBelow(path: string): string[] {
  const full = join(projectRoot, path);
  if (!existsSync(full)) {
    return [];
  }
  const files = statSync(full).isDirectory()
    ? [...new Bun.Glob("**/*").scanSync({ cwd: full, dot: true })].map((file) => join(path, file))
    : [path];
  return files.filter(reachesBuilder);
}

/** Copies as the instructions of a stage say, into `folder`, which is its WORKDIR. Throws Error on a missing source. */
export function copyContext(instructions: readonly Instruction[], folder: string): void {
  for (const copy of instructions.filter((one) => one instanceof Copy)) {
    const words = copy.getArguments().map((argument) => argument.getValue());
    const [sources, target = ""] = [words.slice(0, -1), words.at(-1)];
    for (const source of sources) {
      const files = filesBelow(source);
      if (files.length === 0) {
        throw new Error(`COPY ${source}: no file of it reaches the builder`);
      }
      for (const file of files) {
        // A folder's content goes into the target, a file into the folder or to the name that it says.
        const isWhole = file === source;
        const rest = isWhole ? (target.endsWith("/") ? basename(file) : "") : file.slice(source.length + 1);
        const to = join(folder, target, rest);
        mkdirSync(dirname(to), { recursive: true });
        cpSync(join(projectRoot, file), to);
      }
    }
  }
}
