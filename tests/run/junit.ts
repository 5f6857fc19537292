/** Counts of a test report in JUnit's XML, as `bun test --reporter=junit` (1.4.5) writes it. */

interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Reads the totals of the root element; throws when there are none, as a report cut short must not count as good. */
export function countTests(xml: string): TestCounts {
  const root = /<testsuites\b[^>]*>/.exec(xml)?.[0] ?? "";
  const [tests, failed, skipped] = ["tests", "failures", "skipped"].map((name) => numberOf(root, name));
  if (tests === undefined || failed === undefined || skipped === undefined) {
    throw new Error("Cannot read the test report: it has no totals");
  }
  return { passed: tests - failed - skipped, failed, skipped };
}

/** Names of the tests that failed, as the report writes them, by their files. */
export function failuresByFile(xml: string): ReadonlyMap<string, readonly string[]> {
  const failed = [...xml.matchAll(/<testcase name="([^"]*)"[^>]* file="([^"]*)"[^>]*[^/]>\s*<failure\b/g)];
  return new Map(
    Object.entries(Object.groupBy(failed, ([, , file]) => file ?? "")).map(([file, tests]) => [
      file,
      (tests ?? []).map(([, name]) => name ?? ""),
    ]),
  );
}

/** Seconds of each test file, the slowest first. */
export function secondsByFile(xml: string): readonly (readonly [file: string, seconds: number])[] {
  const files = [...xml.matchAll(/^ {2}<testsuite name="([^"]*)"[^>]* time="([\d.]+)"/gm)];
  return files
    .map(([, file, seconds]) => [file ?? "", Number(seconds)] as const)
    .sort(([, a], [, b]) => b - a);
}

function numberOf(element: string, attribute: string): number | undefined {
  const text = new RegExp(` ${attribute}="(\\d+)"`).exec(element)?.[1];
  return text === undefined ? undefined : Number(text);
}
