/** The guide for who measures: run at a vantage point of the lab's Internet, where stack, agent and user are. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Internet } from "../lab/internet.ts";
import { run } from "../lab/namespaces.ts";
import { internet } from "../lab/topology.ts";
import { PageRun } from "./page-run.ts";

const approver = join(import.meta.dirname, "../lab/approve-login.ts");

/** Rejects when a command fails, or does not print what the page shows. */
export async function firstMeasurement(): Promise<void> {
  const net = await Internet.start(internet);
  const within = (command: readonly string[]) => net.at("east", command);
  // Everything in the lab has addresses for documentation.
  const platform = { VANTAGE_SAFETY__BLOCK_RESERVED_RANGES: "false" };
  const agent = { VANTAGE_AGENT__BLOCK_RESERVED_RANGES: "false" };
  // What a person does in a browser.
  const confirm = async ([, url = ""]: RegExpExecArray) => {
    await run(net.at("east", [process.execPath, approver, url, "anna"]));
  };
  // The login of the guide is that of the scripts.
  const settings = mkdtempSync(join(tmpdir(), "vantage-settings-"));
  const shared = { TARGET: "203.0.113.10", PAUSE: "0", XDG_CONFIG_HOME: settings };
  try {
    await using page = PageRun.open("docs/start/first-measurement.md", {
      scenes: {
        here: { within, environment: { ...shared, ...agent } },
        platform: { within, environment: platform, folderOf: "here" },
      },
      holds: ["own"],
      answers: [{ when: /or open +(\S+)/, act: confirm }],
    });
    await page.runAll();
    await using scripts = PageRun.open("docs/measure/scripting.md", {
      scenes: { here: { within, environment: shared } },
    });
    await scripts.runAll();
  } finally {
    await net.stop();
    rmSync(settings, { recursive: true, force: true });
  }
}
