/**
 * A student at `vantage stack --exchange` announces by the console's page in a real Chromium, and runs an experiment.
 * Prints what was seen as JSON. `argv`: an empty folder, then how to start the program.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../exchange/until.ts";
import { gatewayUrl, inside, Student } from "../lab/exchange/student.ts";
import { Browser } from "./browser.ts";
import { logInWith } from "./console-scenes.ts";

const [folder = "", ...vantage] = process.argv.slice(2);
const ceilingMs = 60_000;
/** The exchange's end of the link to its first upstream: it answers to the student's prefix, through the tunnel. */
const target = "2001:db8:ffff:1::1";

/** On the student's side of the tunnel, with sources in the prefix. */
async function startAgent(student: Student): Promise<void> {
  const key = readFileSync(join(student.platform, "gateway/enrolment.key"), "utf8").trim();
  const config = {
    agent: { id: "west", state_dir: student.at("west"), block_reserved_ranges: false },
    prober: [
      {
        ...{ name: "main", instance_id: 1, probing_rate: 1000 },
        ...{ interface: "tailscale0", src_ipv6_prefix: student.prefix },
      },
    ],
    kafka: { brokers: `embedded:${join(student.platform, "broker")}` },
    gateway: { url: gatewayUrl.replace(/\/$/, ""), enrolment_key: key },
  };
  writeFileSync(student.at("agent.yaml"), JSON.stringify(config));
  student.keep([...inside, ...vantage, "agent", "-c", student.at("agent.yaml")]);
  await until(
    "a healthy agent",
    async () => {
      const agents: { state: string }[] = JSON.parse(await student.run("agents", "-o", "json"));
      return agents.some(({ state }) => state === "healthy");
    },
    ceilingMs,
  );
}

await using student = new Student(folder, vantage, { VANTAGE_SAFETY__BLOCK_RESERVED_RANGES: "false" });
await student.begin();
await student.seenAs("the announcement", ["64496 64500", "64497 64500"]);

await using browser = await Browser.start();
const tab = await browser.open(`${gatewayUrl}console`);
await logInWith(tab, gatewayUrl, "anna");
await tab.go(`${gatewayUrl}console/peering`);
const page = () => tab.text("section[aria-labelledby=announcements-title]");
await until("the router's report", async () => (await page()).includes("accepted"), ceilingMs);
const before = await page();
const form = "form[data-call*='announcements/{prefix}']";
const fill = (name: string, value: string) =>
  tab.eval(
    `document.querySelector(${JSON.stringify(`${form} [name=${name}]`)}).value = ${JSON.stringify(value)}`,
  );
const click = (selector: string) => tab.eval(`document.querySelector(${JSON.stringify(selector)}).click()`);
await fill("prepend", "2");
await click(`${form} button`);
const longer = ["64496 64500 64500 64500", "64497 64500 64500 64500"];
const prepended = await student.seenAs("the prepends of the page", longer);
const isWhole = async () =>
  /accepted[\s\S]*AS64496[\s\S]*AS64497|accepted[\s\S]*AS64497[\s\S]*AS64496/.test(await page());
await until("what has become of it", isWhole, ceilingMs);
const after = await page();
await click("form[data-call$='/api/announcements'] button");
await student.seenAs("the page's withdrawal", []);

await startAgent(student);
const definition = {
  experiment: "prepend",
  prefix: student.prefix,
  probe: { agents: ["west"], targets: [target], protocol: "icmpv6", rate: 100 },
  steps: [
    { at: "0s", announce: { sites: ["ixp-1"] }, probe: { watch: { every: "1s", for: "3s" } } },
    { at: "10s", announce: { sites: ["ixp-1"], prepend: 2 }, probe: { watch: { every: "1s", for: "3s" } } },
  ],
};
const file = student.at("prepend.json");
writeFileSync(file, JSON.stringify(definition));
const summary = await student.run("experiment", "run", file, "--settle", "2s");
const timeline = JSON.parse(await student.run("experiment", "timeline", "prepend", "-o", "json"));
await tab.go(`${gatewayUrl}console/experiments`);
const experiments = await tab.text("main");
const { complaints } = tab;
console.log(JSON.stringify({ before, prepended, after, summary, timeline, experiments, complaints }));
process.exit(await student.leave());
