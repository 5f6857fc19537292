/**
 * What `npm test` runs, as data: a job for each check and for each file of tests. Files that finish within moments
 * share a process, as its start, and the code that it imports, would cost more than they do: all of a step (unit,
 * properties, vectors), or those of a room (`sharedRooms`) without `@alone: WHY` in their head comment.
 *
 * A file belongs to the first step whose folders hold it, else to `unit`. It says itself to which tier it belongs:
 * `tier.ts` has the words.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { jobSecondsMax, testMsMax } from "./limits.ts";
import { isAlone, isOfLongTier } from "./tier.ts";

export interface Job {
  /** The check's or group's name, or the path of the one test file. */
  readonly name: string;
  readonly step: string;
  readonly command: readonly string[];
  /** Test files of bun, which follow the command; their tests are counted one by one. Null: the job is one check. */
  readonly testFiles: readonly string[] | null;
  /** Only some of its files run, so it says nothing of what the whole costs. */
  readonly isPart?: boolean;
  /** A job that takes longer hangs, and is ended. */
  readonly limitSeconds: number;
}

interface Step {
  readonly name: string;
  readonly purpose: string;
  readonly folders: readonly string[];
  /** All files in one process. */
  readonly together?: true;
}

const serviceRooms = [
  ...["cli", "client", "sdk", "doctor", "console", "bootstrap", "attacks", "auth", "http"],
  ...["probing-gateway", "probing-gateway-agents", "probing-gateway-reads"],
  ...["peering-gateway", "policy-generator", "policy", "exchange"],
];

/** Each of them is one job, named like its folder. */
const sharedRooms = [
  ...["auth", "bootstrap", "campaign-alerts", "campaigns", "client", "console", "database", "doctor"],
  ...["exchange", "experiment", "formats", "http", "peering-gateway", "policy-generator"],
  ...["probing-gateway", "probing-gateway-agents", "probing-gateway-reads"],
].map((room) => `tests/contract/${room}`);

const testSteps: readonly Step[] = [
  {
    name: "experiments",
    purpose: "announcements and probes on a small Internet",
    folders: ["tests/lab/experiment"],
  },
  { name: "lab", purpose: "the Internet in network namespaces", folders: ["tests/lab"] },
  {
    name: "services",
    purpose: "gateways, generator, commands and pages on real engines",
    folders: [...serviceRooms.map((room) => `tests/contract/${room}`), "tests/browser"],
  },
  { name: "contract", purpose: "one suite, run on each engine", folders: ["tests/contract", "tests/kafka"] },
  {
    name: "generated",
    purpose: "generated files are what their sources give",
    folders: ["tests/reference/wire-files.test.ts", "tests/tidy/house-page.test.ts"],
    together: true,
  },
  {
    name: "vectors",
    purpose: "packets in, replies out; whole expected output",
    folders: ["tests/vectors", "tests/golden"],
    together: true,
  },
  {
    name: "api",
    purpose: "every route, by requests made from its OpenAPI document",
    folders: ["tests/fuzz/api"],
  },
  {
    name: "properties",
    purpose: "rules that hold for any input, hostile input too",
    folders: ["tests/property", "tests/fuzz"],
    together: true,
  },
  {
    name: "faults",
    purpose: "engines and our processes fail in the middle of a campaign",
    folders: ["tests/faults"],
  },
  {
    name: "deploy",
    purpose: "compose.yaml's services, run as it says; alerts, dashboards; a release's parts",
    folders: ["tests/deploy", "tests/release"],
  },
  {
    name: "docs",
    purpose: "pages: commands run as a reader would, links, references",
    folders: ["tests/docs", "tests/reference"],
  },
  {
    name: "first-hour",
    purpose: "a release: twice the same bytes, installed by dpkg, and the first hour from it",
    folders: ["tests/first-hour"],
  },
  { name: "upgrade", purpose: "what earlier releases have written", folders: ["tests/upgrade"] },
  {
    name: "bench",
    purpose: "the benches work (their figures are not judged)",
    folders: ["tests/bench"],
  },
  {
    name: "executable",
    purpose: "the one file, without Bun beside it",
    folders: ["tests/executable", "tests/platform"],
  },
  {
    name: "unit",
    purpose: "the tests beside the sources, and the rules of the house",
    folders: [],
    together: true,
  },
];

/** Checks that are not tests of bun: one command each. */
function checksOf(root: string): Job[] {
  // What was found last time is kept: only what has changed since is checked again.
  const known = (name: string) => ["--incremental", "--tsBuildInfoFile", join(cacheFolder(root), name)];
  const types = [join(root, "node_modules/typescript-native/bin/tsc"), "--noEmit", "--pretty", "false"];
  const checks: readonly (readonly [name: string, command: readonly string[]])[] = [
    ["lint", [join(root, "node_modules/.bin/biome"), "ci", "--colors=off", "."]],
    ["types", [...types, ...known("types.tsbuildinfo")]],
    ["page-types", [...types, ...known("page-types.tsbuildinfo"), "-p", "apps/console/client"]],
  ];
  return checks.map(([name, command]) => ({
    ...{ name, step: name, command, testFiles: null, limitSeconds: jobSecondsMax },
  }));
}

/** Longer than any test: it fetches an engine, builds images and breaks each part once. */
function containersJob(root: string): Job {
  const command = [process.execPath, join(root, "tests/lab/containers/main.ts")];
  return {
    name: "containers",
    step: "containers",
    command,
    testFiles: null,
    limitSeconds: 3 * jobSecondsMax,
  };
}

/** Every job of a tier: the long one holds the other. */
export function jobsOf(root: string, tier: "usual" | "long"): Job[] {
  const files = testFilesOf(root).filter((file) => tier === "long" || !isOfLongTier(textOf(root, file)));
  const tests = testSteps.flatMap(({ name, together }) => {
    const own = files.filter((file) => stepOf(file) === name);
    const jobs = Object.groupBy(own, (file) => (together === true ? name : processOf(root, file)));
    return Object.entries(jobs).map(([job, part = []]) => testJob(job, name, part));
  });
  const labs = tier === "long" ? [containersJob(root)] : [];
  return [...checksOf(root), ...tests, ...labs].filter(({ testFiles }) => testFiles?.length !== 0);
}

/** What words name: steps, and files and folders of tests; null for a job that none of them names. */
export function namedPart(job: Job, words: readonly string[]): Job | null {
  const places = words.map((word) => word.replace(/^\.\//, "").replace(/\/$/, ""));
  if (places.includes(job.step)) {
    return job;
  }
  const isNamed = (file: string) =>
    places.some((place) => file === `./${place}` || file.startsWith(`./${place}/`));
  const testFiles = (job.testFiles ?? []).filter(isNamed);
  const isPart = testFiles.length < (job.testFiles ?? []).length;
  return testFiles.length === 0 ? null : { ...job, testFiles, isPart };
}

/** Steps with what they hold, for the help. */
export function stepsWithPurpose(): (readonly [name: string, purpose: string])[] {
  const checks = [
    ["lint", "format and lint"],
    ["types", "strict types"],
    ["page-types", "strict types of what runs in browsers"],
    ["containers", "the platform and users by containers alone, on machines made of namespaces; long tier"],
  ] as const;
  return [...checks, ...testSteps.map(({ name, purpose }) => [name, purpose] as const)];
}

export function testFilesOf(root: string): string[] {
  return ["apps", "ffi", "lib", "tests"]
    .flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.test.ts`).scanSync(root)])
    .sort();
}

/** What runs keep for the next one. */
export function cacheFolder(root: string): string {
  return join(root, "node_modules/.cache/tests");
}

function testJob(name: string, step: string, files: readonly string[]): Job {
  const command = [process.execPath, "test", "--no-orphans", "--timeout", String(testMsMax)];
  return { name, step, command, testFiles: files.map((file) => `./${file}`), limitSeconds: jobSecondsMax };
}

function stepOf(file: string): string {
  const owner = testSteps.find(({ folders }) =>
    folders.some((place) => file === place || file.startsWith(`${place}/`)),
  );
  return owner?.name ?? "unit";
}

/** The name of the job that it is part of: its room's, or its own. */
function processOf(root: string, file: string): string {
  const text = textOf(root, file);
  const room = sharedRooms.find((place) => dirname(file) === place);
  return room === undefined || isAlone(text) || isOfLongTier(text) ? file : room;
}

function textOf(root: string, file: string): string {
  return readFileSync(join(root, file), "utf8");
}
