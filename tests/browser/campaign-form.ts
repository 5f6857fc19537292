/** The form of a new campaign: its cost while one types, what it makes, and what it refuses. */
import { expect } from "bun:test";
import { until } from "../exchange/until.ts";
import type { Tab } from "./tab.ts";

export async function checkCampaignForm(tab: Tab, consoleUrl: string, hostile: string): Promise<void> {
  await tab.go(`${consoleUrl}console/campaigns?to=192.0.2.7+2001%3Adb8%3A%3A7&from=west&kind=ping`);
  await until("what this gateway lacks", async () =>
    (await tab.text("#new-campaign")).includes("alerts need a column store"),
  );
  const choose = (name: string, value: string) =>
    tab.eval(
      `{ const field = document.querySelector('#new-campaign [name=${name}]'); field.value = '${value}';
        field.dispatchEvent(new Event('input', { bubbles: true })); }`,
    );
  await choose("delivery", "none");
  await until("the cost", async () =>
    (await tab.text("#new-campaign")).includes("20 probes a run from 1 agent, 1,920 a day"),
  );
  expect(await tab.text("#new-campaign")).toMatch(
    /Next runs \(UTC\): \d{4}-\d\d-\d\d \d\d:\d\d(, (\d{4}-\d\d-\d\d )?\d\d:\d\d){4}$/m,
  );
  await choose("name", "made here");
  await choose("delivery", "email");
  await choose("address", "nobody");
  await tab.eval("document.querySelector('#new-campaign button.main').click()");
  await until("the reason", async () => (await tab.text("#said")).includes("email"));
  expect(await tab.eval<string>("location.pathname")).toBe("/console/campaigns");

  await choose("delivery", "none");
  await tab.eval("document.querySelector('#new-campaign button.main').click()");
  await until("the campaign", () =>
    tab.eval<boolean>("/^.console.campaigns.[0-9a-f-]{36}$/.test(location.pathname)"),
  );
  const made = await tab.eval<unknown>(
    "fetch('/console/call/api/campaigns/' + location.pathname.split('/').at(-1)).then((it) => it.json())",
  );
  expect(made).toMatchObject({
    name: "made here",
    definition: {
      ...{ agents: "west", targets: ["192.0.2.7", "2001:db8::7"], ttl: "64", packets: 10, every: 900 },
      ...{ flows: 1, protocol: "udp" },
    },
  });

  // Started by a webhook, in place of an interval.
  await tab.go(`${consoleUrl}console/campaigns?to=192.0.2.7&from=west&kind=ping`);
  for (const [name, value] of Object.entries({ delivery: "none", name: "by events", event: "webhook" })) {
    await choose(name, value);
  }
  await until("its cost", async () => (await tab.text("#new-campaign")).includes("Each event starts a run."));
  await tab.eval("document.querySelector('#new-campaign button.main').click()");
  await until("the campaign of events", () =>
    tab.eval<boolean>("/^.console.campaigns.[0-9a-f-]{36}$/.test(location.pathname)"),
  );
  const every = "document.querySelector('#edit-campaign select[name=every]').textContent";
  expect(await tab.eval<string>(every)).toContain("on a webhook");

  await tab.go(`${consoleUrl}console/campaigns?from=west&to=${encodeURIComponent(hostile)}`);
  await until("the refused name", async () => (await tab.text("#new-campaign")).includes("<img: "));
}
