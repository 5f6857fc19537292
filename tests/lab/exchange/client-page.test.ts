/**
 * A user's page in a real Chromium beside the user's BIRD: what happens at the exchange is on the page, in words. The
 * routes that are refused are real ones, most of them let out by a session that the user's own snippet adds.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { adviceOn } from "../../../apps/peering/bootstrap/status/words.ts";
import { rejectAll } from "../../../lib/peering/policy/policy.ts";
import { policyText } from "../../../lib/peering/policy/policy-text.ts";
import { type Refusal, refusalWords } from "../../../lib/peering/policy/refusal.ts";
import { Browser } from "../../browser/browser.ts";
import type { Tab } from "../../browser/tab.ts";
import { sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import { vrp } from "./configurations.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import { LabClient } from "./lab-client.ts";
import * as plan from "./plan.ts";

/** The second is outside the platform's prefixes, which have ROAs that fit. */
const [good, invalid, unleased] = ["2001:db8:20ab::/48", "2001:db8:3000::/48", "2001:db8:20ad::/48"];
const end = "2035-01-01T00:00:00Z";
const user = sampleUser(66, { leases: [good, invalid].map((prefix) => ({ prefix, end_time: end })) });
const others = plan.users.filter(({ asn }) => asn !== user.asn);
const seen = new Set<string>();
let lab: ExchangeLab;
let client: LabClient;
let browser: Browser;
let tab: Tab;

/** Its own session and filter: a long path, a strange AS, another's next hop, and all that is announced anyway. */
const snippet = `
protocol static wrong { ipv6; ${["1", "2", "3"].map((n) => `route 2001:db8:20a${n}::/48 blackhole;`).join(" ")} }
filter anything {
  if (net = 2001:db8:20a1::/48) then { ${"bgp_path.prepend(USER_ASN); ".repeat(11)} accept; }
  if (net = 2001:db8:20a2::/48) then { bgp_path.prepend(65001); accept; }
  if (net = 2001:db8:20a3::/48) then { bgp_next_hop = 100.64.0.12; accept; }
  if (proto = "announced") then accept;
  reject;
}
protocol bgp mine from ixp {
  neighbor ${plan.exchangeMember.v4} as PLATFORM_ASN;
  ipv6 { next hop self no; export filter anything; };
}
`;

beforeAll(async () => {
  lab = await ExchangeLab.start({ users: [...others, user] });
  client = await LabClient.start(lab, { asn: user.asn, prefixes: [good, invalid, unleased] });
  browser = await Browser.start((command) => lab.net.at("rogue", command));
  tab = await browser.open("http://127.0.0.1:8092/");
  await tab.eval("stays = 1");
});
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  await client?.[Symbol.asyncDispose]();
  await lab?.[Symbol.asyncDispose]();
});

/** Waits until the page says all of it; case is the style's. */
const says = (...texts: readonly string[]) =>
  until("words on the page", async () => {
    const page = (await tab.text()).toLowerCase();
    const missing = texts.filter((text) => !page.includes(text.toLowerCase()));
    if (missing.length > 0) {
      throw new Error(`"${missing.join('", "')}" is not in\n${page}`);
    }
    return true;
  });

async function saysRefusals(...reasons: readonly Refusal[]): Promise<void> {
  await says(...reasons.flatMap((reason) => [refusalWords[reason], adviceOn(reason)]));
  const twin = await tab.eval<{ exchanges: { refused: { reason: string }[] }[] }>(
    "fetch('/status.json').then((answer) => answer.json())",
  );
  const told = twin.exchanges.flatMap(({ refused }) => refused.map(({ reason }) => reason));
  expect(told).toEqual(expect.arrayContaining([...reasons]));
  for (const reason of reasons) {
    seen.add(reason);
  }
}

/** As if the exchange had not looked at the routes again yet; the generator would mend it within a minute. */
async function whileNobodyIsAllowed(work: () => Promise<void>): Promise<void> {
  const { text } = policyText(rejectAll);
  const undo = () => {
    if (readFileSync(lab.policyFile, "utf8") !== text) {
      writeFileSync(lab.policyFile, text);
      void lab.birds.exchange.ask("configure");
    }
  };
  const timer = setInterval(undo, 50);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}

test("a session that comes up is shown, with what is announced there and the path of it", async () => {
  await says("1 of 1 sessions up", "2 of 3 announcements taken", `AS${user.asn}`);
  const path = `ol[aria-label="Path of the announcement to ixp-1"]`;
  expect(await tab.text(path)).toContain(`AS${user.asn}`);
});

test("a session that goes down is shown, and one that comes up in its place", async () => {
  await client.bird.ask("disable ixp_100_64_0_1");
  await says("0 of 1 sessions up", "Down");
  writeFileSync(join(client.snippets, "mine.conf"), snippet);
  await client.bird.ask("configure");
  // BIRD has enabled it again.
  await client.bird.ask("disable ixp_100_64_0_1");
  await until("the own session", async () =>
    (await client.bird.sessions()).some(({ name, isUp }) => name === "mine" && isUp),
  );
  await says("1 of 1 sessions up");
});

test("what the filter and the policy refuse is shown in words, each with what to do", async () => {
  lab.writeVrps([vrp(64_511, invalid)]);
  await whileNobodyIsAllowed(() =>
    saysRefusals("pathLength", "foreignAs", "nextHop", "rpkiInvalid", "notLeased", "pending"),
  );
});

test("an ASN that is not the user's, and a lease that is gone", async () => {
  lab.sources.change([...others, { ...user, asn: 65_067, leases: user.leases.slice(0, 1) }]);
  await saysRefusals("wrongAsn");
  await says("Set USER_ASN=65067", "there is no lease for it");
});

test("a device that is nobody's", async () => {
  lab.sources.change([...others, { ...user, devices: [] }]);
  await saysRefusals("unknownAddress");
});

test("what an operator has stopped at the gateway", async () => {
  lab.sources.change([...others, { ...user, isSuspended: true }]);
  await saysRefusals("userSuspended");
  lab.sources.change([...others, { ...user, isStopped: true }]);
  await saysRefusals("announcementsStopped");
});

test("a user who announces too often", async () => {
  lab.sources.change([...others, user]);
  await until("the route", () => lab.birds.exchange.hears(good));
  const isSuspended = () => lab.log.some((line) => line.includes("announces too often"));
  while (!isSuspended()) {
    await client.bird.ask("disable announced");
    await until("its withdrawal", async () => isSuspended() || !(await lab.birds.exchange.hears(good)));
    await client.bird.ask("enable announced");
    await until("the route", async () => isSuspended() || (await lab.birds.exchange.hears(good)));
  }
  await saysRefusals("suspended");
});

test("that was every reason there is; the page was never loaded again, and everybody can read it", async () => {
  // BIRD as a client sends none of these: attributes.test.ts, attacks.test.ts and flap.test.ts do.
  const elsewhere = [
    "held",
    "foreignAttribute",
    "moreSpecific",
    "blackhole",
    "notRequested",
    "poison",
    "tooManyActions",
    "unknownAttribute",
  ];
  expect([...seen, ...elsewhere].sort()).toEqual(Object.keys(refusalWords).sort());
  expect(await tab.eval<number>("stays")).toBe(1);
  expect(tab.complaints).toEqual([]);
  expect(await tab.violations()).toEqual([]);
});
