/** The guide for who measures: run at a vantage point of the lab's Internet, where stack, agent and user are. */
import { afterAll, beforeAll, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { Internet } from "../lab/internet.ts";
import { run } from "../lab/namespaces.ts";
import { internet } from "../lab/topology.ts";
import { PageRun } from "./page-run.ts";

setDefaultTimeout(180_000);
const approver = join(import.meta.dirname, "../lab/approve-login.ts");
let net: Internet;

beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(async () => {
  await net?.stop();
});

test("a first measurement", async () => {
  const within = (command: readonly string[]) => net.at("east", command);
  // Everything in the lab has addresses for documentation.
  const platform = { VANTAGE_SAFETY__BLOCK_RESERVED_RANGES: "false" };
  await using page = PageRun.open("docs/first-measurement.md", {
    scenes: {
      here: { within, environment: { TARGET: "203.0.113.10" } },
      platform: { within, environment: platform, folderOf: "here" },
    },
    answers: [{ when: /or open +(\S+)/, act: confirm }],
  });
  await page.runAll();
});

/** What a person does in a browser. */
async function confirm([, url = ""]: RegExpExecArray): Promise<void> {
  await run(net.at("east", [process.execPath, approver, url, "anna"]));
}
