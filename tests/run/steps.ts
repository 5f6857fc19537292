/** The steps of `npm test`, as data: commands, and the folders whose `*.test.ts` files make up a step of tests. */
import { join } from "node:path";

export interface Step {
  readonly name: string;
  readonly purpose: string;
  readonly command: readonly string[];
  /** Test files of bun, which follow the command; their tests are counted one by one. Null: the step is one check. */
  readonly testFiles: readonly string[] | null;
  /** A step that takes longer hangs, and is ended. */
  readonly limitSeconds: number;
}

/**
 * Tests by where they lie, in the order in which they start; a test file belongs to the first folder that holds it,
 * else to `unit`.
 */
const testSteps: readonly (readonly [
  name: string,
  purpose: string,
  folders: string[],
  limitSeconds: number,
])[] = [
  // The longest ones first: the others run beside them.
  ["experiments", "announcements and probes on a small Internet", ["tests/lab/experiment"], 1200],
  ["lab", "the Internet in network namespaces", ["tests/lab"], 2400],
  [
    "services",
    "gateways, generator, commands and pages on real engines",
    [
      ...["cli", "client", "sdk", "doctor", "console", "bootstrap", "attacks", "auth", "http"],
      ...["probing-gateway", "probing-gateway-agents", "probing-gateway-reads"],
      ...["peering-gateway", "policy-generator", "policy", "exchange"],
    ]
      .map((room) => `tests/contract/${room}`)
      .concat("tests/browser"),
    2400,
  ],
  ["contract", "one suite, run on each engine", ["tests/contract", "tests/kafka"], 2400],
  [
    "generated",
    "generated files are what their sources give",
    ["tests/reference/wire-files.test.ts", "tests/tidy/house-page.test.ts"],
    60,
  ],
  ["unit", "the tests beside the sources, and the rules of the house", [], 600],
  ["vectors", "packets in, replies out; whole expected output", ["tests/vectors", "tests/golden"], 120],
  ["api", "every route, by requests made from its OpenAPI document", ["tests/fuzz/api"], 600],
  ["properties", "rules that hold for any input, hostile input too", ["tests/property", "tests/fuzz"], 300],
  ["faults", "engines and our processes fail in the middle of a campaign", ["tests/faults"], 300],
  [
    "deploy",
    "compose.yaml's services, run as it says; alerts, dashboards; a release's parts",
    ["tests/deploy", "tests/release"],
    300,
  ],
  [
    "docs",
    "pages: commands run as a reader would, links, references",
    ["tests/docs", "tests/reference"],
    600,
  ],
  [
    "first-hour",
    "a release: twice the same bytes, installed by dpkg, and the first hour from it",
    ["tests/first-hour"],
    600,
  ],
  ["upgrade", "what earlier releases have written", ["tests/upgrade"], 180],
  ["bench", "the benches work (their figures are not judged)", ["tests/bench"], 600],
  ["executable", "the one file, without Bun beside it", ["tests/executable", "tests/platform"], 300],
];

/** A unit test that needs longer hangs; tests of real parts have ceilings of their own. */
const testMsMax = 20_000;

export function stepsOf(root: string): Step[] {
  const tool = (name: string) => join(root, "node_modules/.bin", name);
  return [
    {
      name: "lint",
      purpose: "format and lint",
      command: [tool("biome"), "ci", "--colors=off", "."],
      testFiles: null,
      limitSeconds: 200,
    },
    {
      name: "types",
      purpose: "strict types",
      command: [tool("tsc"), "--noEmit", "--pretty", "false"],
      testFiles: null,
      limitSeconds: 300,
    },
    {
      name: "page-types",
      purpose: "strict types of what runs in browsers",
      command: [tool("tsc"), "--noEmit", "--pretty", "false", "-p", "apps/console/client"],
      testFiles: null,
      limitSeconds: 200,
    },
    ...testStepsOf(root),
  ];
}

function testStepsOf(root: string): Step[] {
  const files = ["apps", "ffi", "lib", "tests"]
    .flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.test.ts`).scanSync(root)])
    .sort();
  return testSteps.flatMap(([name, purpose, , limitSeconds]) => {
    const own = files.filter((file) => stepOf(file) === name).map((file) => `./${file}`);
    const command = [process.execPath, "test", "--no-orphans", "--timeout", String(testMsMax)];
    return own.length === 0 ? [] : [{ name, purpose, command, testFiles: own, limitSeconds }];
  });
}

function stepOf(file: string): string {
  const owner = testSteps.find(([, , places]) =>
    places.some((place) => file === place || file.startsWith(`${place}/`)),
  );
  return owner?.[0] ?? "unit";
}
