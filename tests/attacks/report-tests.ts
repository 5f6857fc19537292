/** The tests of a report in JUnit's XML, as `bun test --reporter=junit` (1.4.5) writes it. */

export interface RunTest {
  /** Behind its groups'. */
  readonly name: string;
  readonly isFailed: boolean;
  readonly isSkipped: boolean;
}

const testCase = /<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g;

export function testsOfReport(xml: string): RunTest[] {
  return Array.from(xml.matchAll(testCase), ([, attributes = "", inner = ""]) => ({
    name: `${attributeOf(attributes, "classname")} ${attributeOf(attributes, "name")}`,
    isFailed: /<(failure|error)\b/.test(inner),
    isSkipped: /<skipped\b/.test(inner),
  }));
}

function attributeOf(attributes: string, name: string): string {
  return unescaped(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? "");
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function unescaped(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) {
      return entities[name] ?? whole;
    }
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });
}
