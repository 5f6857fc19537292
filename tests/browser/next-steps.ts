/** What a finished measurement offers next: forms that begin with what it measured. */
import { expect } from "bun:test";
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
}
