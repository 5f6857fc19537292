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

  await checkShape(tab, consoleUrl);

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

/** What probes look like goes to the gateway as it was typed; its reason is shown. */
async function checkShape(tab: Tab, consoleUrl: string): Promise<void> {
  await tab.go(`${consoleUrl}console?to=192.0.2.53&from=west`);
  await tab.eval(`sent = null; own = fetch;
    window.fetch = (path, order) => {
      sent = String(path).includes("/api/probes") ? [path, order.body] : sent;
      return own(path, order);
    }`);
  const fill = (name: string, value: string) =>
    tab.eval(`document.querySelector('#measure-more [name=${name}]').value = ${JSON.stringify(value)}`);
  await fill("dscp", "loud");
  await tab.eval("document.querySelector('button[value=ping]').click()");
  await until("the reason", async () => (await tab.text("#said")).includes("must be a number from 0 to 63"));
  for (const [name, value] of [
    ...[
      ["dscp", "EF"],
      ["ecn", "ect0"],
      ["flow_label", "5"],
    ],
    ...[
      ["dns", "id.server"],
      ["size", "1400"],
    ],
  ] as const) {
    await fill(name ?? "", value ?? "");
  }
  for (const name of ["df", "record_packets"]) {
    await tab.eval(`document.querySelector('#measure-more [name=${name}]').checked = true`);
  }
  await tab.eval("document.querySelector('button[value=ping]').click()");
  await until("the request", () => tab.eval<boolean>("sent?.[0].includes('id.server') ?? false"));
  const [path, lines] = await tab.eval<[string, string]>("sent");
  expect(Object.fromEntries(new URLSearchParams(path.split("?")[1]))).toMatchObject({
    ...{ agents: "west", size: "1400", dscp: "EF", ecn: "ect0", flow_label: "5", dns: "id.server" },
    ...{ df: "true", record_packets: "true" },
  });
  expect(lines.split("\n")[0]).toMatch(/^192\.0\.2\.53,\d+,53,64,udp$/);
}
