/** Every page of the documentation is in its index, and every link between pages leads somewhere. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dirname, "../..");
const index = "docs/README.md";

const pages = ["*.md", "docs/**/*.md", "tests/**/README.md"]
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(root)])
  .sort();

interface Link {
  readonly page: string;
  readonly target: string;
}

/** Without what stands in code, where brackets are something else. */
function proseOf(page: string): string {
  const text = readFileSync(join(root, page), "utf8");
  return text.replaceAll(/^ *```[\s\S]*?^ *```+ *$/gm, "");
}

function linksOf(page: string): Link[] {
  const targets = [
    ...proseOf(page)
      .replaceAll(/`[^`\n]*`(?!\])/g, "")
      .matchAll(/\]\(([^()\s]+)\)/g),
  ];
  return targets
    .map(([, target = ""]) => ({ page, target }))
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

/** As GitHub makes them of headings. */
function anchorsOf(page: string): Set<string> {
  const headings = [...proseOf(page).matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, text = ""]) => text);
  const seen = new Map<string, number>();
  return new Set(
    headings.map((heading) => {
      const anchor = heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
        .replaceAll(" ", "-");
      const before = seen.get(anchor) ?? 0;
      seen.set(anchor, before + 1);
      return before === 0 ? anchor : `${anchor}-${before}`;
    }),
  );
}

/** What is wrong with a link; null when nothing is. */
function complaint({ page, target }: Link): string | null {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : relative(root, join(root, dirname(page), decodeURIComponent(path)));
  if (!existsSync(join(root, file))) {
    return `${page}: ${target} is not a file`;
  }
  const isThere = anchor === undefined || !file.endsWith(".md") || anchorsOf(file).has(anchor);
  return isThere ? null : `${page}: ${file} has no heading for #${anchor}`;
}

test("every link leads to a file, and to a heading of it", () => {
  const links = pages.flatMap(linksOf);
  expect(links.length).toBeGreaterThan(100);
  expect(links.map(complaint).filter((text) => text !== null)).toEqual([]);
});

test("every page is in the index", () => {
  const listed = new Set(linksOf(index).map(({ target }) => join("docs", target.replace(/#.*/, ""))));
  const missing = pages.filter((page) => page.startsWith("docs/") && page !== index && !listed.has(page));
  expect(missing).toEqual([]);
});

test("pages that are named in a text as docs/NAME.md are there; NAME in capitals stands for any", () => {
  const named = pages.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/\bdocs\/([\w.-]+\/)*[a-z][\w.-]+\.md\b/g)].map(
      ([path]) => path,
    ),
  );
  expect([...new Set(named)].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
