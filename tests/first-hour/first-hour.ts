/**
 * The first hour of somebody with a machine of their own: both guides, in one folder, one after the other, on one
 * platform, with an exchange. Plays what the pages say (tests/docs/page-run.ts), and knows nothing of their commands.
 */
import { join } from "node:path";
import { readPage } from "../docs/page-blocks.ts";
import { PageRun } from "../docs/page-run.ts";
import { Internet } from "../lab/internet.ts";
import { run } from "../lab/namespaces.ts";
import { internet } from "../lab/topology.ts";

export interface TimedStep {
  /** The heading that it is under. */
  readonly heading: string;
  readonly commands: string;
  readonly elapsedMs: number;
}

const pages = ["docs/start/first-measurement.md", "docs/start/first-announcement.md"];
const approver = join(import.meta.dirname, "../lab/approve-login.ts");
/** The pages show what is leased out of it. */
const pool = "2001:db8:20ab::/48";

/**
 * At a vantage point of the lab's Internet, in this process's own mount namespace, so that the namespaces which
 * commands make are there for the commands after them. Rejects when a command fails, or does not print what its page
 * shows.
 */
export async function playFirstHour(vantage: readonly string[]): Promise<TimedStep[]> {
  const net = await Internet.start(internet);
  const steps: TimedStep[] = [];
  const here = `/run/netns/${net.namespaceOf("east")}`;
  const within = (command: readonly string[]) => ["nsenter", `--net=${here}`, "--", ...command];
  // Everything in the lab has addresses for documentation.
  const platform = { VANTAGE_SAFETY__BLOCK_RESERVED_RANGES: "false", VANTAGE_LEASES__POOL: pool };
  const agent = { VANTAGE_AGENT__BLOCK_RESERVED_RANGES: "false" };
  // What a person does in a browser.
  const confirm = async ([, url = ""]: RegExpExecArray) => {
    await run(within([process.execPath, approver, url, "anna"]));
  };
  try {
    await using page = PageRun.of(pages.flatMap(readPage), {
      vantage,
      scenes: {
        here: { within, environment: { TARGET: "203.0.113.10", ...agent } },
        platform: { within, environment: platform, folderOf: "here" },
        tunnel: { within, folderOf: "here" },
      },
      holds: ["own-exchange"],
      answers: [{ when: /or open +(\S+)/, act: confirm }],
      notRun: { vpn: "the platform has a tunnel of its own" },
      onBlock: ({ heading, text }, elapsedMs) => {
        steps.push({ heading, commands: text.split("\n")[0] ?? "", elapsedMs });
      },
    });
    await page.runAll();
    return steps;
  } finally {
    await net.stop();
  }
}
