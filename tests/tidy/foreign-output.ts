/** Text of others reaches a terminal by lib/base/terminal only, which shows what a terminal would obey. */
import { outputFiles } from "./house.ts";
import type { Problem, Tree } from "./tree.ts";

const direct =
  /\bconsole\.\w+\(|\bprocess\.std(out|err)\b\s*\.write\(|\bBun\.std(out|err)\b|\bwriteSync\([12],/;

export function foreignOutput(tree: Tree): Problem[] {
  return [...tree]
    .filter(([path]) => /^(apps|lib)\/.*\.tsx?$/.test(path) && !/\.test\.ts$/.test(path) && !isExcused(path))
    .flatMap(([path, text]) => text.split("\n").map((line, index) => ({ path, line, number: index + 1 })))
    .filter(({ line }) => direct.test(line))
    .map(
      ({ path, number, line }) =>
        `${path}:${number}: ${direct.exec(line)?.[0]} goes around lib/base/terminal; use printLine or printErrorLine`,
    );
}

function isExcused(path: string): boolean {
  return outputFiles.some((end) => path.startsWith(end) || path.endsWith(end));
}
