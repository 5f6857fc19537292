/** The BIRDs of this machine: Debian's own, and newer ones where `newer-birds.sh` could fetch them. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isLongRun } from "../run/tier.ts";

export interface TestBird {
  /** As `2.0.12`. */
  readonly version: string;
  /** The program. */
  readonly program: string;
}

const folder = join(import.meta.dirname, "../../node_modules/.cache/birds");

/** What the configurations are for when nothing is said. */
export const debianBird: TestBird = { version: "2.0.12", program: "bird" };

/** Oldest first within a line; empty where there are none. */
export const newerBirds: readonly TestBird[] = (existsSync(folder) ? readdirSync(folder) : [])
  .map((name) => join(folder, name, "bird"))
  .filter((program) => existsSync(program))
  .flatMap((program) => {
    const said = Bun.spawnSync([program, "--version"], { stderr: "pipe" }).stderr.toString();
    const [, version] = /BIRD version (\S+)/.exec(said) ?? [];
    return version === undefined ? [] : [{ version, program }];
  })
  .sort((a, b) => a.version.localeCompare(b.version, "en", { numeric: true }));

/** Debian 12's first. */
export const birds: readonly TestBird[] = [debianBird, ...newerBirds];

const lineOf = ({ version }: TestBird) => version.split(".")[0];
const newestOfLine = newerBirds.filter(
  (bird) => newerBirds.findLast((one) => lineOf(one) === lineOf(bird)) === bird,
);

/** Asked for by `VANTAGE_LAB_BIRD=3.4.0`, instead of all others. */
const asked = birds.filter(({ version }) => version === process.env.VANTAGE_LAB_BIRD);

/** What the lab's exchange runs where a test names none. */
export const labBird: TestBird = asked[0] ?? debianBird;

/** Debian 12's, and the newest of the second and of the third line. */
const allLabBirds: readonly TestBird[] = asked.length > 0 ? asked : [debianBird, ...newestOfLine];

/** What a test runs on that tries several: one in the usual tier. */
export const labBirds = isLongRun ? allLabBirds : allLabBirds.slice(0, 1);

/**
 * Those of them that keep sessions: the third line, up to 3.4.0, now and then leaves one in OpenSent for minutes
 * (docs/operate/exchange.md), and runs where it alone is asked for.
 */
export const allSteadyBirds = allLabBirds.filter(
  ({ version }) => !version.startsWith("3.") || allLabBirds.length === 1,
);

/** One in the usual tier. */
export const steadyBirds = isLongRun ? allSteadyBirds : allSteadyBirds.slice(0, 1);

/** What a test that needs a newer BIRD is called where there is none. */
export const noNewerBirds =
  "newer BIRDs: none is here, as Debian's trixie and sid could not be asked (tests/setup.sh test)";
