/** Counts of a test report in JUnit's XML, as `bun test --reporter=junit` (1.4.5) writes it. */

interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface FailedTest {
  readonly file: string;
  /** With the names of the groups around it, as `-t` compares them. */
  readonly name: string;
  readonly timedOut: boolean;
  /** Behind a test of its file that timed out: Bun has killed what the file had started, so this proves nothing. */
  readonly isJudged: boolean;
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

/** The tests that failed, in the order of the report, which is that in which they ran. */
export function failedTests(xml: string): FailedTest[] {
  const failed = [...xml.matchAll(/<testcase ([^>]*[^/])>\s*<failure\b([^>]*)>/g)];
  const timedOutFiles = new Set<string>();
  return failed.map(([, attributes = "", reason = ""]) => {
    const file = textOf(attributes, "file");
    const isJudged = !timedOutFiles.has(file);
    const timedOut = textOf(reason, "type") === "TimeoutError";
    if (timedOut) {
      timedOutFiles.add(file);
    }
    return {
      file,
      name: nameOf(attributes),
      timedOut,
      isJudged,
    };
  });
}

/** `FILE: NAME` of each test that was skipped: its name, or its group's, says why. */
export function skippedTests(xml: string): string[] {
  const skipped = [...xml.matchAll(/<testcase ([^>]*[^/])>\s*<skipped\b/g)];
  return skipped.map(([, attributes = ""]) => `${textOf(attributes, "file")}: ${nameOf(attributes)}`);
}

/** With the names of the groups around it. */
function nameOf(attributes: string): string {
  const groups = textOf(attributes, "classname");
  return [...groups.split(" > "), textOf(attributes, "name")].filter(Boolean).join(" ");
}

function numberOf(element: string, attribute: string): number | undefined {
  const text = new RegExp(` ${attribute}="(\\d+)"`).exec(element)?.[1];
  return text === undefined ? undefined : Number(text);
}

function textOf(attributes: string, name: string): string {
  const text = new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, word: string) => named[word] ?? "");
}

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
