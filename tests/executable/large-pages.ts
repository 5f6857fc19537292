/** Pages of measurements larger than people make them, on text of strangers: what they show is what the API says. */
import { expect } from "bun:test";
import { visible } from "../../lib/base/terminal/foreign-text.ts";
import { Keyboard } from "../browser/keyboard.ts";
import { mustBeReadable, mustFit } from "../browser/readable.ts";
import type { Tab } from "../browser/tab.ts";
import { large, putLarge } from "./large-measurements.ts";
import { hops } from "./two-hops.ts";

/** They are like the first ones, and the rules take minutes for thousands. */
const farNodes = ".node:nth-child(n+30), #view tbody tr:nth-child(n+10)";

interface Router {
  readonly address: string | null;
  readonly flows: readonly number[];
  readonly as_name: string | null;
}
interface Path {
  readonly hops: readonly { readonly ttl: number; readonly routers: readonly Router[] }[];
}

export class LargePages {
  readonly #tab: Tab;
  readonly #origin: string;
  readonly #ids: Readonly<Record<keyof typeof large, string>>;

  private constructor(tab: Tab, origin: string, ids: Readonly<Record<keyof typeof large, string>>) {
    this.#tab = tab;
    this.#origin = origin;
    this.#ids = ids;
  }

  /** As the person of the tab, who has logged in. */
  static async make(tab: Tab, { origin, store }: { origin: string; store: string }): Promise<LargePages> {
    const ids = { deep: await submitted(tab), wide: await submitted(tab) };
    await putLarge(store, ids);
    return new LargePages(tab, origin, ids);
  }

  /** Each view of both; tests/browser looks at the views of small ones with all rules. */
  async mustBeRead(): Promise<void> {
    for (const id of Object.values(this.#ids)) {
      await this.#go(id, "paths");
      const unreached = await new Keyboard(this.#tab).unreached();
      expect(unreached).toEqual([]);
      await mustFit(this.#tab);
      for (const view of ["loss", "heatmap", "catchment", "replies"]) {
        await this.#go(id, view);
        expect({
          view,
          isShown: await this.#tab.eval(`document.querySelector("#view > .card.is-bad") === null`),
        }).toEqual({ view, isShown: true });
        await mustFit(this.#tab);
      }
    }
    await this.#go(this.#ids.wide, "paths");
    await mustBeReadable(this.#tab, { except: farNodes });
    expect(await this.#tab.eval<string>("typeof stolen")).toBe("undefined");
  }

  /** All ranks open: a node for each router that the API has, a link for each step of flows. */
  async mustShowAllLinks(): Promise<number> {
    const ttls = [...new Set(large.wide.map(({ ttl }) => ttl))];
    await this.#go(this.#ids.wide, `paths&open=${ttls}`);
    const paths = await this.#tab.eval<Path[]>(
      `fetch("/console/call/api/measurements/${this.#ids.wide}/paths?with=asn").then((answer) => answer.json())`,
    );
    const routers = paths.flatMap((path) =>
      path.hops.flatMap(({ ttl, routers: own }) => own.map((router) => ({ ttl, ...router }))),
    );
    const said = await this.#tab.eval<string[]>(
      "[...document.querySelectorAll('[data-graph=right] .node')].map((one) => one.ariaLabel)",
    );
    const text = said.join("\n");
    for (const { ttl, address, flows, as_name: name } of routers) {
      expect(text).toContain(`TTL ${ttl}: ${address}, `);
      expect(said.find((one) => one.startsWith(`TTL ${ttl}: ${address}, `))).toContain(
        `, ${flows.length} of `,
      );
      expect(name === null || text.includes(visible(name))).toBe(true);
    }
    return this.#tab.eval("document.querySelectorAll('[data-graph=right] path.link').length");
  }

  /** What somebody sees who may not. */
  async mustBeHiddenFrom(tab: Tab): Promise<void> {
    for (const [path, title] of [
      [`/console/measurements/${this.#ids.deep}`, "Page not found"],
      ["/console/operators?view=safety", "Operators only"],
    ]) {
      await tab.go(`${this.#origin}${path}`);
      expect(await tab.text("h1")).toBe(title ?? "");
      await mustBeReadable(tab);
    }
  }

  #go(id: string, view: string): Promise<void> {
    return this.#tab.go(`${this.#origin}/console/measurements/${id}?view=${view}`);
  }
}

/** A measurement of one probe; resolves to its id. */
function submitted(tab: Tab): Promise<string> {
  const body = { metadata: [{ id: "west" }], probes: [[hops[4][1], 24_000, 33_434, 1, "udp"]] };
  return tab.eval(`fetch("/console/call/api/probes", {
    method: "POST",
    headers: { "x-csrf": document.querySelector("meta[name=csrf]").content, "content-type": "application/json" },
    body: ${JSON.stringify(JSON.stringify(body))},
  }).then(async (answer) => (await answer.json()).id)`);
}
