/** Rules about the text of files: sizes, addresses that belong to one machine, the lock file. */
import { fileLinesMax, lineLengthMax, longFiles, wideFiles } from "./house.ts";
import type { Problem, Tree } from "./tree.ts";

const code = /(\.(tsx?|c|h|sh|capnp|sql)|^\.ci\/run)$/;

/** Folders of one developer's machine. A path below them in a file works nowhere else. */
const machinePath = /(?<![\w.\]/-])\/(?:home|root|Users|work|mnt|media)\/[\w.-]+/;
/** Hosts that hand out packages: which one is used is the reader's own setting. */
const registryHost =
  /\b(?:registry|npm|pypi|proxy)\.[a-z0-9-]+\.[a-z]{2,}|\b(?:npmjs|yarnpkg|pypi)\.(?:org|com)\b/;

export function tooLong(tree: Tree): Problem[] {
  return [...tree]
    .filter(([path]) => code.test(path) && !longFiles.some((start) => path.startsWith(start)))
    .map(([path, text]) => ({ path, lines: text.trimEnd().split("\n").length }))
    .filter(({ lines }) => lines > fileLinesMax)
    .map(({ path, lines }) => `${path}: ${lines} lines, more than ${fileLinesMax}; split it by noun`);
}

export function tooWide(tree: Tree): Problem[] {
  return (
    linesOf(tree)
      .filter(({ path }) => code.test(path) && !wideFiles.some((start) => path.startsWith(start)))
      // The formatter keeps a test's name and the begin of its body on one line.
      .filter(({ path, line }) => !(path.endsWith(".test.ts") && testName.test(line)))
      .filter(({ line }) => line.length > lineLengthMax)
      .map(
        ({ path, number, line }) =>
          `${path}:${number}: ${line.length} characters, more than ${lineLengthMax}`,
      )
  );
}

const testName = /^ *(test|test\.concurrent|asRoot|older|contractTest)\(["'`]/;

const pageElements = "/** @jsxImportSource hono/jsx */";

/** Bun takes the setting of the folder it is started in, not that of the file: elsewhere it would look for React. */
export function unnamedElements(tree: Tree): Problem[] {
  return [...tree]
    .filter(
      ([path, text]) =>
        path.endsWith(".tsx") && !/^\/\*\* @jsxImportSource hono\/jsx(\/dom)? \*\/$/m.test(text),
    )
    .map(([path]) => `${path}: begin it with ${pageElements}, so that it works from any folder`);
}

/** A reader learns from the first lines of a file what it is for. */
export function headless(tree: Tree): Problem[] {
  return [...tree]
    .filter(([path]) => /^(apps|lib|ffi)\/.*\.tsx?$/.test(path) && !/\.(test|d)\.ts$/.test(path))
    .filter(([, text]) => !/^(#!.*\n)?\/[*/]/.test(text))
    .map(([path]) => `${path}: begin it with a comment that says what it is`);
}

const fileName =
  /(?<![\w/.:@-])(?:apps|lib|ffi|tests|sql|templates|deploy|docs)\/[\w./-]+\.(?:tsx?|md|eta|sql|yaml)\b/g;
/** Files that tests invent, and those of other times. */
const inventing = /^(CHANGELOG\.md$|sql\/|tests\/(golden|tidy|run|upgrade|attacks)\/|tests\/tidy\.test\.ts$)/;

/** Files of the project that comments and pages name, and that do not exist; names in capitals stand for any. */
export function namedInVain(tree: Tree): Problem[] {
  return linesOf(tree)
    .filter(({ path }) => /\.(tsx?|md|sh|yaml|json)$|Dockerfile$/.test(path) && !inventing.test(path))
    .flatMap(({ path, number, line }) =>
      [...line.matchAll(fileName)]
        .filter(([name]) => !tree.has(name) && !/[A-Z]{3}|^docs\/page\.md$|\/x\.test\.ts$/.test(name))
        .map(([name]) => `${path}:${number}: there is no ${name}`),
    );
}

export function machineAddresses(tree: Tree): Problem[] {
  return linesOf(tree).flatMap(({ path, number, line }) => {
    const found = machinePath.exec(line) ?? registryHost.exec(line);
    return found === null ? [] : [`${path}:${number}: names "${found[0]}", which is of one machine only`];
  });
}

/** The lock file pins versions and hashes; an address in it would bind everyone to one download host. */
export function lockedAddresses(tree: Tree): Problem[] {
  const problems = linesOf(tree)
    .filter(({ path, line }) => path === "bun.lock" && /https?:\/\//.test(line))
    .map(({ path, number }) => `${path}:${number}: a download address; install with the default registry`);
  return tree.has("bun.lock") ? problems : ["bun.lock: missing, so versions are not pinned"];
}

function linesOf(tree: Tree): { path: string; number: number; line: string }[] {
  return [...tree].flatMap(([path, text]) =>
    text.split("\n").map((line, index) => ({ path, number: index + 1, line })),
  );
}
