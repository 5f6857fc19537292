/** The page of links in a browser: every number is the API's, and all of it is read and gone through by keys. */
import { expect } from "bun:test";
import { until } from "../exchange/until.ts";
import { mustBeReadable } from "./readable.ts";
import type { Tab } from "./tab.ts";

export interface LinkGraph {
  readonly nodes: readonly {
    readonly ttl: number;
    readonly address: string | null;
    readonly flows: number;
  }[];
  readonly links: readonly {
    readonly from: string;
    readonly to: string;
    readonly near_ttl: number;
    readonly near_ttl_max: number;
    readonly flows: number;
    readonly destinations: number;
    readonly agents: number;
  }[];
}

interface Scene {
  readonly tab: Tab;
  /** Where the gateway listens. */
  readonly address: string;
  readonly id: string;
  /** A measurement without an answer. */
  readonly emptyId: string;
  /** What the API says; answers are those of the heat map. */
  readonly links: number;
  readonly answers: number;
  readonly graph: LinkGraph | undefined;
  /** Links of both measurements. */
  readonly differences: readonly Readonly<Record<string, string | number | null>>[];
}

export async function checkDiscovery({
  tab,
  address,
  id,
  emptyId,
  links,
  answers,
  graph,
  differences,
}: Scene): Promise<void> {
  const go = (query: string) => tab.go(`${address}console/discovery?${query}`);
  const labels = () =>
    tab.eval<string[]>("[...document.querySelectorAll('[role=listitem]')].map((one) => one.ariaLabel)");
  await go("");
  await mustBeReadable(tab);
  const link = `main tbody a[href="/console/discovery?of=${id}"]`;
  expect(await tab.eval<number>(`document.querySelectorAll(${JSON.stringify(link)}).length`)).toBe(1);
  expect(await tab.text("main")).toContain("No discovery yet");

  await go(`of=${id}`);
  expect(await tab.text("figcaption")).toMatch(
    /^\d+ AS(es)?(, \d+ routers?)?(, \d+ silent hops?)? and \d+ links/,
  );
  expect((await labels()).join("\n")).toContain("AS64501");
  const cells = await cellsOf(tab);
  expect(cells.map((row) => row.slice(0, 6)).sort()).toEqual(
    (graph?.links ?? [])
      .map((link) => [
        ...[link.from, link.to],
        link.near_ttl === link.near_ttl_max ? link.near_ttl : `${link.near_ttl} to ${link.near_ttl_max}`,
        ...[link.flows, link.destinations, link.agents],
      ])
      .map((row) => row.map(String))
      .sort(),
  );
  await mustBeReadable(tab);

  await go(`of=${id}&by=router&open=2`);
  const said = (await labels()).join("\n");
  for (const { ttl, address: router, flows } of graph?.nodes ?? []) {
    expect(said).toContain(`TTL ${ttl}: ${router ?? "no answer"}, `);
    expect(said).toContain(`${flows} flow`);
  }
  const focused = () => tab.eval<string>("document.activeElement.dataset?.label ?? ''");
  await until("the script", () => tab.eval<boolean>("document.readyState === 'complete'"));
  await tab.eval("document.querySelector('.node[tabindex=\"0\"]').focus()");
  expect(await focused()).toBe("198.51.100.1");
  await tab.press("End");
  expect(await focused()).toBe("203.0.113.9");
  await tab.press("Enter");
  expect(await tab.text("#graph-right")).toStartWith("TTL 5: 203.0.113.9, ");

  await go(`of=${id}&view=growth`);
  expect(await tab.text("figcaption")).toStartWith(`${links} links after ${answers} answers; `);
  expect((await cellsOf(tab)).at(-1)?.slice(1)).toEqual([String(answers), String(links)]);
  await mustBeReadable(tab);

  await go(`of=${id}&view=differences&against=${emptyId}`);
  expect(await tab.text("figcaption")).toContain(`; ${links} appeared, 0 gone, 0 in both; `);
  const columns = [
    "near_addr",
    "far_addr",
    "near_ttl",
    "state",
    "flows",
    "flows_before",
    "destinations",
  ] as const;
  const silent = (row: (typeof differences)[number]) => `no answer after ${row.silent_after}`;
  expect((await cellsOf(tab)).map((row) => row.slice(0, columns.length)).sort()).toEqual(
    differences.map((row) => columns.map((name) => String(row[name] ?? silent(row)))).sort(),
  );
  await mustBeReadable(tab);
  expect(tab.complaints).toEqual([]);
}

/** `address`: where the gateway listens. */
export async function checkNotThere(tab: Tab, address: string): Promise<void> {
  const nobodys = "11111111-1111-4111-8111-111111111111";
  for (const page of [
    `measurements/${nobodys}`,
    `discovery?of=${nobodys}`,
    `discovery?discovery=${nobodys}`,
  ]) {
    await tab.go(`${address}console/${page}`);
    expect(await tab.text("h1")).toBe("Page not found");
  }
  await tab.go(`${address}console/discovery?of=${encodeURIComponent("<script>stolen = 1</script>")}`);
  expect(await tab.eval<string>("typeof stolen")).toBe("undefined");
}

function cellsOf(tab: Tab): Promise<string[][]> {
  return tab.eval(
    "[...document.querySelectorAll('main tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))",
  );
}
