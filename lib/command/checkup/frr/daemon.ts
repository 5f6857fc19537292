/** Checks FRR as a user's daemon: its tools, and its configuration. Tested with FRR 8.4.4. */
import { existsSync } from "node:fs";
import { complaintOf, runTool } from "../../../peering/frr/frr-tool.ts";
import { type Finding, fail, messageOf, ok, warn } from "../finding.ts";
import { commandMsMax } from "../limits.ts";

/** The version of bgpd; `vtysh` does not have its own. */
export async function frrProgram(): Promise<Finding> {
  const what = "FRR";
  const next = "install FRR 8 (Debian: apt install frr frr-pythontools)";
  try {
    const { output, errors } = await runTool(["bgpd", "--version"], commandMsMax);
    const version = /version (\d+)[\d.]*/.exec(output + errors);
    if (version === null) {
      return warn(what, "bgpd does not report its version", next);
    }
    const found = version[0].replace("version", "FRR");
    return version[1] === "8" ? ok(what, found) : warn(what, `${found} was never tried with Vantage`, next);
  } catch (error) {
    return fail(what, messageOf(error), next);
  }
}

export async function frrReads(vtysh: string, file: string): Promise<Finding> {
  const what = "FRR's configuration";
  if (!existsSync(file)) {
    return fail(what, `${file} is missing`, "vantage bootstrap run writes it");
  }
  const done = await runTool([vtysh, "-C", "-f", file], commandMsMax);
  return done.exitCode === 0
    ? ok(what, `FRR reads ${file}`)
    : fail(
        what,
        messageOf(complaintOf(done)),
        "correct that line; the running daemon keeps its configuration",
      );
}
