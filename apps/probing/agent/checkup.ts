/** Checks a vantage point: all of `vantage agent check`, capture, disk, and the running agent. */
import { Capture } from "../../../ffi/capture.ts";
import { Hotpath } from "../../../ffi/hotpath/hotpath.ts";
import { misconfigured, sourceIn } from "../../../lib/command/checkup/configuration.ts";
import { examine } from "../../../lib/command/checkup/examine.ts";
import { type Finding, fail, messageOf, ok } from "../../../lib/command/checkup/finding.ts";
import { diskSpace } from "../../../lib/command/checkup/host/disk.ts";
import { openFiles } from "../../../lib/command/checkup/host/open-files.ts";
import { openFilesFew } from "../../../lib/command/checkup/limits.ts";
import { localUrl, service } from "../../../lib/command/checkup/net/web.ts";
import type { Environment } from "../../../lib/engines/config/environment.ts";
import { runChecks } from "./check.ts";
import { type AgentConfig, readAgentConfig } from "./config/config.ts";
import { findInstance } from "./instances.ts";

const start = "systemctl start vantage-agent, or: vantage agent -c FILE";

export async function examineAgent(file: string, environment: Environment): Promise<Finding[]> {
  let config: AgentConfig;
  try {
    config = readAgentConfig(sourceIn(file), environment);
  } catch (error) {
    return misconfigured(error, "docs/reference/agent-configuration.md");
  }
  return examine([
    { what: "host", see: () => checked(config) },
    ...interfacesOf(config).map((name) => ({
      what: `capture on ${name}`,
      see: () => captures(name),
    })),
    { what: "agent", see: () => service("agent", localUrl(config.listen), start) },
    { what: "state folder's disk", see: () => diskSpace("state folder's disk", config.stateDir) },
    { what: "open files", see: () => openFiles(openFilesFew) },
  ]);
}

/** `vantage agent check` has the problem and its remedy in one text. */
async function checked(config: AgentConfig): Promise<Finding[]> {
  const results = await runChecks(config);
  return results.map(({ what, problem, detail }) => (problem ? fail(what, detail, "") : ok(what, detail)));
}

/** Checks probers that send; `checked` reports those without an interface. */
function interfacesOf({ probers }: AgentConfig): string[] {
  const names = probers
    .filter(({ dryRun }) => !dryRun)
    .flatMap((prober) => {
      try {
        return [findInstance(prober).interfaceName];
      } catch {
        return [];
      }
    });
  return [...new Set(names)];
}

/** Opens the capture like a receiver, and closes it. */
function captures(name: string): Finding {
  const what = `capture on ${name}`;
  try {
    using capture = new Capture(new Hotpath(), name, { waitMs: 0 });
    const { dropped } = capture.stats();
    return ok(what, `works; ${dropped} packets dropped`);
  } catch (error) {
    const next = "run as root, or: setcap cap_net_raw+ep FILE; libpcap is Debian's libpcap0.8";
    return fail(what, messageOf(error), next);
  }
}
