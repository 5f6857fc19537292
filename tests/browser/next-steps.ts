/** What a finished measurement offers next: forms that begin with what it measured; and the form of a discovery. */
import { expect } from "bun:test";
import { until } from "../exchange/until.ts";
import { chooseFile } from "./choose-file.ts";
import { mustBeReadable } from "./readable.ts";
import type { Tab } from "./tab.ts";

interface Measured {
  readonly destination: string;
  readonly agent: string;
}

export async function checkNextSteps(
  tab: Tab,
  consoleUrl: string,
  id: string,
  [measured]: readonly Measured[],
): Promise<void> {
  await tab.go(`${consoleUrl}/measurements/${id}?view=loss`);
  const next = await tab.eval<string[]>(
    "[...document.querySelectorAll('[aria-labelledby=next-title] a')].map((one) => one.getAttribute('href'))",
  );
  expect(next).toEqual([
    `/console/campaigns?again=${id}`,
    `/console?again=${id}`,
    `/console?again=${id}&from=3%40any`,
    "#share",
    "#export-title",
  ]);
  const field = (name: string) => tab.eval<string>(`document.querySelector('main [name=${name}]').value`);
  await tab.go(`${consoleUrl}/campaigns?again=${id}`);
  expect([await field("to"), await field("from"), await field("kind"), await field("protocol")]).toEqual([
    ...[measured?.destination ?? "", measured?.agent ?? "", "trace", "udp"],
  ]);
  await mustBeReadable(tab);
  const answer = await fetch(`${consoleUrl}/campaigns?again=00000000${id.slice(8)}`);
  expect([answer.status, await answer.text()]).toEqual([
    404,
    expect.stringContaining("Measurement not found"),
  ]);
  await checkDiscoveryForm(tab, consoleUrl);
}

/** Its estimate while one types or has chosen a file, the discovery, and its end. */
async function checkDiscoveryForm(tab: Tab, consoleUrl: string): Promise<void> {
  await tab.go(`${consoleUrl}/discovery?to=203.0.113.0%2F24&from=west`);
  await chooseFile(tab, "#new-discovery", { name: "targets.txt", text: "203.0.113.0/24\n198.51.100.0/24\n" });
  await until("what a file would send", async () =>
    /2 prefixes from 1 agent: \d+ probes in the first round/.test(await tab.text("#new-discovery")),
  );
  await tab.go(`${consoleUrl}/discovery?to=203.0.113.0%2F24&from=west`);
  await until("what it would send", async () =>
    /1 prefix from 1 agent: \d+ probes in the first round/.test(await tab.text("#new-discovery")),
  );
  await mustBeReadable(tab);
  await tab.eval("document.querySelector('#new-discovery button.main').click()");
  await until("the discovery", () =>
    tab.eval<boolean>(
      "/^.discovery=[0-9a-f-]{36}$/.test(location.search) && document.readyState === 'complete'",
    ),
  );
  expect(await tab.text("#rounds")).toMatch(
    /^running[\s\S]*Probes sent\n0 of at most [\d,]+[\s\S]*Unfinished\nall of it/,
  );
  await tab.eval("document.querySelector('#rounds button.danger').click()");
  await until("its end", async () => (await tab.text("#rounds")).includes("ended"));
}
