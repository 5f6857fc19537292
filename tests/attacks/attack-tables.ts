/**
 * The tables of attacks in docs/internals/attacks.md: a `## Section` each, with rows of attack, limit and test.
 *
 * The last cell names one test or more: `` `tests/x.test.ts` `` is a whole file, with "part of a name" behind it only
 * the tests whose name, or whose group's, has that part. `the same` is what the row above names.
 */

export interface TestName {
  readonly file: string;
  /** Empty = every test of the file. */
  readonly part: string;
}

export interface Attack {
  readonly section: string;
  readonly attack: string;
  readonly limit: string;
  readonly tests: readonly TestName[];
}

const row = /^\|(.*)\|$/;
const test = /`([^`]+\.test\.ts)`(?: "([^"]+)")?/g;

export function attacksIn(page: string): Attack[] {
  return page.split(/^## /m).slice(1).flatMap(sectionOf);
}

function sectionOf(text: string): Attack[] {
  const [section = "", ...lines] = text.split("\n");
  const rows = lines.flatMap((line) => row.exec(line)?.[1] ?? []);
  let above: readonly TestName[] = [];
  // The head, and the line below it.
  return rows.slice(2).map((cells) => {
    const [attack = "", limit = "", names = ""] = cells.split(/(?<!\\)\|/).map((cell) => cell.trim());
    above = names === "the same" ? above : testsIn(names);
    return { section, attack, limit, tests: above };
  });
}

function testsIn(cell: string): TestName[] {
  return Array.from(cell.matchAll(test), ([, file = "", part = ""]) => ({ file, part }));
}
