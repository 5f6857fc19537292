/** A day of a user and one of an operator at the console, by keys alone: each throws where keys do not lead on. */
import { expect } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Keyboard } from "../browser/keyboard.ts";
import type { Tab } from "../browser/tab.ts";
import { until } from "../exchange/until.ts";
import { hops } from "./two-hops.ts";

/** Far above what an agent needs for a trace of 240 probes, and for the wait behind it. */
const traceMsMax = 120_000;

export class Day {
  readonly #tab: Tab;
  readonly #keys: Keyboard;
  readonly #origin: string;

  constructor(tab: Tab, origin: string) {
    this.#tab = tab;
    this.#keys = new Keyboard(tab);
    this.#origin = origin;
  }

  async logIn(name: string): Promise<void> {
    await this.#tab.go(`${this.#origin}/console`);
    await this.#keys.enter(".account a");
    await until("the issuer's form", () => this.#isThere("[name=name]"));
    await this.#keys.write("[name=name]", name);
    await this.#tab.press("Enter");
    await this.#keys.arrive(/^\/console$/);
  }

  async logOut(): Promise<void> {
    await this.#keys.enter(".account button");
    await until("a stranger's page", () => this.#isThere(".account a"));
  }

  /** From the form of the start to the answers of both hops; resolves to the measurement's path. */
  async trace(): Promise<string> {
    await this.#keys.goTo("s", /^\/console$/);
    await this.#keys.write("[name=to]", hops[4][1]);
    expect(await this.#tab.text("main")).toContain("A trace costs 240 probes for each agent");
    await this.#tab.press("Enter");
    await this.#keys.arrive(/^\/console\/measurements\/./);
    await until(
      "the end, which is on the page without a reload",
      async () => (await this.#tab.text("#progress")).includes("complete"),
      traceMsMax,
    );
    return this.#tab.eval("location.pathname");
  }

  /** Goes to it from the list; its graph says the same as its table, and as the API. */
  async lookAt(path: string): Promise<void> {
    await this.#keys.goTo("m", /^\/console\/measurements$/);
    await this.#keys.follow(`main a[href="${path}"]`, /^\/console\/measurements\/./);
    await this.#keys.to(".node");
    for (const [ttl, address] of [...hops[4].entries()].map(([i, hop]) => [i + 1, hop] as const)) {
      await this.#tab.press("ArrowRight");
      await this.#tab.press("Enter");
      const said = await this.#tab.text("#graph-right");
      expect(said).toStartWith(`TTL ${ttl}: ${address}, `);
      expect(said).toContain(", 8 of 8 flows, 8 of 8 probes answered, median ");
      const median = /median ([\d.]+) ms/.exec(said)?.[1];
      expect(median).toBeDefined();
      expect(await this.#row(ttl)).toEqual(expect.arrayContaining([address, median]));
      expect(await this.#answered(path, ttl)).toEqual({ address, median: Number(median) });
    }
    await this.#keys.to("#view section.scroll");
  }

  /** A file that is offered is what the API gives. */
  async keepFile(path: string, folder: string): Promise<void> {
    await this.#keys.enter('[download="paths.csv"]');
    const file = join(folder, "paths.csv");
    await until("the file", () => existsSync(file));
    const text = await this.#tab.eval<string>(
      `fetch("/console/call${apiPath(path)}/paths?with=asn,ixp,geo,rpki&format=csv").then((answer) => answer.text())`,
    );
    expect(text).toContain(hops[4][1]);
    expect(readFileSync(file, "utf8")).toBe(text);
  }

  /** All that operators do, each said by the page; it is undone where it would stand in others' way. */
  async operate(): Promise<void> {
    await this.#keys.goTo("o", /^\/console\/operators$/);
    await this.#press('[aria-label="Pause west"]', "Paused", "#admin-agents", "paused");
    await this.#press('[aria-label="Resume west"]', "Resumed", "#admin-agents", "healthy");
    await this.#part("keys");
    await this.#fill({ label: "a laptop", uses: "2" });
    await until("the key", () =>
      this.#tab.eval<boolean>("/^\\S{16,}$/.test(document.querySelector('#once input')?.value ?? '')"),
    );
    await this.#tab.press("Escape");
    await until("its row", async () => (await this.#tab.text("#enrolment-keys")).includes("a laptop"));
    await this.#part("users");
    await this.#fill({ probes_per_day_max: "12345" });
    await this.#done("Limits changed", "#users", "");
    await until("the limit", () =>
      this.#tab.eval("document.querySelector('[name=probes_per_day_max]').value === '12345'"),
    );
    await this.#part("safety");
    await this.#fill({ prefix: "203.0.113.0/24", "reason#POST": "asked for by its owner" });
    await this.#done("Blocked", "#blocklist", "203.0.113.0/24");
    await this.#stopAll();
    await this.#audit();
  }

  async #stopAll(): Promise<void> {
    await this.#fill({ "reason#PUT": "a drill", "": "something else" });
    expect(await this.#isThere("form:invalid")).toBe(true);
    await this.#fill({ "": "kill-switch" });
    await this.#done("All agents stop", "main", "All probing is stopped");
    await this.#press('[aria-label="Resume probing"]', "Agents probe again", "main", "Probing is allowed");
  }

  async #audit(): Promise<void> {
    await this.#part("audit");
    const rows = await this.#tab.text("#audit");
    for (const word of ["west", "a laptop", "12345", "203.0.113.0/24", "a drill"]) {
      expect(rows).toContain(word);
    }
    await this.#fill({ subject: "agent:west" });
    await this.#keys.arrive(/subject=agent/);
    expect(await this.#tab.text("#audit")).not.toContain("a drill");
  }

  #part(view: string): Promise<void> {
    return this.#keys.follow(`.tabs a[href$="view=${view}"]`, new RegExp(`view=${view}$`));
  }

  /** By the names of fields, those of a form that calls with a method behind `#`; Enter in the last one. */
  async #fill(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(fields)) {
      const [field = "", method] = name.split("#");
      const form = method === undefined ? "" : `[data-call^=${method}] `;
      await this.#keys.write(`${form}[name="${field}"]`, text);
    }
    await this.#tab.press("Enter");
  }

  async #press(button: string, done: string, place: string, words: string): Promise<void> {
    await this.#keys.enter(button);
    await this.#done(done, place, words);
  }

  #done(said: string, place: string, words: string): Promise<true> {
    return until(said, async () => {
      const isSaid = (await this.#said()).includes(said);
      return isSaid && (await this.#tab.text(place)).includes(words);
    });
  }

  #said(): Promise<string> {
    return this.#tab.text("#said");
  }

  #isThere(selector: string): Promise<boolean> {
    return this.#tab.eval(`document.querySelector(${JSON.stringify(selector)}) !== null`);
  }

  #row(ttl: number): Promise<string[]> {
    const rows =
      "[...document.querySelectorAll('#view tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))";
    return this.#tab.eval(`${rows}.find((cells) => cells[0] === "${ttl}")`);
  }

  #answered(path: string, ttl: number): Promise<unknown> {
    return this.#tab.eval(`fetch("/console/call${apiPath(path)}/paths").then(async (answer) => {
      const [{ hops }] = await answer.json();
      const [router] = hops.find((hop) => hop.ttl === ${ttl}).routers;
      return { address: router.address, median: router.rtt_median_ms };
    })`);
  }
}

/** The API's path for a measurement whose page is there. */
function apiPath(path: string): string {
  return path.replace("/console", "/api");
}
