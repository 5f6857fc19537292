/** Checks BIRD: the program, its configuration, and the running daemon. Tested with BIRD 2.0.12 to 3.4. */
import { existsSync } from "node:fs";
import { askBird } from "../../../peering/bird/control.ts";
import { checkParse } from "../../../peering/bird/parse-check.ts";
import { type Finding, fail, messageOf, ok, warn } from "../finding.ts";
import { outputOf } from "../host/command.ts";

/** The first minor version with extended next hops on channels and `import table`. */
const oldestMinor = 8;

export async function birdProgram(command: string): Promise<Finding> {
  const what = "BIRD";
  const version = /BIRD version (\S+)/.exec((await outputOf([command, "--version"])) ?? "")?.[1];
  if (version === undefined) {
    return fail(what, `there is no ${command} here`, "install BIRD 2 (Debian: apt install bird2)");
  }
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  if (major === 3 || (major === 2 && (minor > 0 || patch >= oldestMinor))) {
    return ok(what, `version ${version}`);
  }
  const isOld = major < 2 || major === 2;
  return isOld
    ? fail(what, `version ${version} is too old`, `install 2.0.${oldestMinor} or newer`)
    : warn(what, `version ${version} was never tried with Vantage`, "if sessions fail, use BIRD 2");
}

export async function birdReads(command: string, file: string): Promise<Finding> {
  const what = "BIRD's configuration";
  if (!existsSync(file)) {
    return fail(
      what,
      `${file} is missing`,
      "vantage bootstrap run writes it, for an exchange: vantage exchange render",
    );
  }
  try {
    await checkParse(command, file);
    return ok(what, `BIRD reads ${file}`);
  } catch (error) {
    return fail(what, messageOf(error), "correct that line; the running daemon keeps its configuration");
  }
}

/** The running daemon, through its control socket; `more` is checked when it responds. */
export async function birdRuns(
  controlSocket: string,
  more: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const runs = await answers(controlSocket);
  return runs.level === "fail" ? [runs] : [runs, ...(await more())];
}

async function answers(controlSocket: string): Promise<Finding> {
  const what = "BIRD's socket";
  if (!existsSync(controlSocket)) {
    return fail(
      what,
      `${controlSocket} is missing: BIRD does not run, or has its socket elsewhere`,
      "systemctl start bird",
    );
  }
  try {
    const lines = (await askBird(controlSocket, "show status")).map(({ text }) => text);
    const isStopping = lines.some((text) => /shutdown in progress/i.test(text));
    return isStopping
      ? warn(what, "BIRD is shutting down", "systemctl start bird")
      : ok(what, `${controlSocket} answers: ${lines[0] ?? ""}`);
  } catch (error) {
    return fail(what, messageOf(error), "join the group bird, or run as root");
  }
}
