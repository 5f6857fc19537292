/** The form of the console's start: what it submits, and what it refuses. */
import { expect } from "bun:test";
import { until } from "../exchange/until.ts";
import { chooseFile } from "./choose-file.ts";
import type { Tab } from "./tab.ts";

export function arriveAtMeasurement(tab: Tab): Promise<boolean> {
  return until("the measurement", () =>
    tab.eval<boolean>("location.pathname.startsWith('/console/measurements/')"),
  );
}

/** What the API says of the measurement whose page is open. */
export async function submittedFrom(tab: Tab): Promise<unknown> {
  const [one] = await tab.eval<unknown[]>(
    "fetch('/console/call/api/measurements?id=' + location.pathname.split('/').at(-1)).then((it) => it.json())",
  );
  return one;
}

export async function checkMeasureForm(tab: Tab, consoleUrl: string, hostile: string): Promise<void> {
  await tab.go(`${consoleUrl}console?to=192.0.2.7+2001%3Adb8%3A%3A7&from=west&protocol=icmp`);
  await tab.eval("document.querySelector('#measure-more [name=name]').value = 'a few pings'");
  await tab.eval("document.querySelector('button[value=ping]').click()");
  await arriveAtMeasurement(tab);
  expect(await submittedFrom(tab)).toMatchObject({
    ...{ name: "a few pings", kind: "ping", total_expected_probes: 20, total_agents: 1 },
    origin: { kind: "console" },
  });
  await tab.go(`${consoleUrl}console?from=west&to=${encodeURIComponent(hostile)}`);
  await tab.eval("document.querySelector('button.main').click()");
  await until("the reason", async () => (await tab.text("#said")).includes("<img: "));
  expect(await tab.eval<string>("location.pathname")).toBe("/console");
  const many = Array.from({ length: 101 }, (_, i) => `192.0.2.${i}`).join(" ");
  await tab.eval(`document.querySelector('[name=to]').value = ${JSON.stringify(many)}`);
  await tab.eval("document.querySelector('button.main').click()");
  await until("the limit", async () => (await tab.text("#said")).includes("101 targets, more than 100"));

  // Lines of a file, as they are; a bad one is named.
  await tab.go(`${consoleUrl}console?from=west`);
  const send = async (text: string) => {
    await chooseFile(tab, "form[data-upload=probes]", { name: "probes.csv", text });
    await tab.eval("document.querySelector('form[data-upload=probes] button').click()");
  };
  const line = "192.0.2.7,24000,33434,3,udp\n";
  await send(`${line}nonsense\n`);
  await until("the bad line", async () => (await tab.text("#said")).includes("Line 2"));
  await send(line.repeat(3));
  await arriveAtMeasurement(tab);
  expect(await submittedFrom(tab)).toMatchObject({ total_expected_probes: 3, total_agents: 1 });
}
