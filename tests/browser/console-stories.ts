/** What a user does at the console from its form to its outcome on a page. Each throws where it does not come. */
import { until } from "../exchange/until.ts";
import type { Hand } from "./hand.ts";
import type { Tab } from "./tab.ts";

const ceilingMs = 120_000;

export class Stories {
  readonly #tab: Tab;
  readonly #url: string;

  /** `url`: of the gateway, with a slash at its end. */
  constructor(tab: Tab, url: string) {
    this.#tab = tab;
    this.#url = url;
  }

  /** From the start page to the path graph of a name, with its address at the end. */
  async trace(hand: Hand, name: string, address: string): Promise<void> {
    await this.#go("console");
    await hand.write("[name=to]", name);
    await hand.press("form[data-measure] button.main");
    await this.#arrive("/console/measurements/");
    await until(
      "the target in the graph",
      () =>
        this.#tab.eval<boolean>(`[...document.querySelectorAll("[data-graph=right] .node:has(.target)")].some(
          ({ ariaLabel }) => ariaLabel.includes(${JSON.stringify(`: ${address}, `)}))`),
      ceilingMs,
    );
  }

  /** A campaign each minute, whose alert is raised and delivered; resolves to both tables. */
  async alert(hand: Hand, target: string, hook: string): Promise<string> {
    await this.#go("console/campaigns");
    const form = "#new-campaign";
    // Open for who has no campaign yet.
    if (!(await this.#tab.eval<boolean>(`document.querySelector("${form}").open`))) {
      await hand.press(`${form} > summary`);
    }
    const field = (name: string) => `${form} [name=${name}]`;
    await hand.write(field("name"), `by ${hand.name}`);
    await hand.write(field("to"), target);
    await hand.write(field("from"), "west");
    await hand.choose(field("kind"), "ping");
    await hand.choose(field("protocol"), "icmp");
    await hand.choose(field("every"), "60");
    await hand.choose(field("delivery"), "slack");
    await hand.write(field("address"), hook);
    await hand.press(`${form} .rules > summary`);
    await hand.write(field("loss_runs"), "1");
    await this.#comes(form, "Next runs (UTC)");
    await hand.press(`${form} button.main`);
    await this.#arrive("/console/campaigns/");
    await hand.press('nav a[href$="view=alerts"]');
    await this.#arrive("/console/campaigns/", "view=alerts");
    // Both come onto the page by themselves.
    await this.#comes("#part", "probes lost");
    await this.#comes("#part", "delivered");
    return this.#tab.text("#part");
  }

  /** A discovery of a path of two hops, to its end; resolves to what the page says of it. */
  async discover(hand: Hand, target: string): Promise<string> {
    await this.#go("console/discovery");
    const form = "#new-discovery";
    await hand.press(`${form} > summary`);
    await hand.write(`${form} [name=to]`, target);
    await hand.write(`${form} [name=from]`, "west");
    await hand.choose(`${form} [name=protocol]`, "icmp");
    await this.#comes(form, "probes in the first round");
    await hand.press(`${form} button.main`);
    await this.#arrive("/console/discovery", "discovery=");
    await this.#comes("#rounds", "ended");
    await this.#comes("#links", "and 1 link");
    return this.#tab.text("main");
  }

  /** A new lease; resolves to its prefix. */
  async lease(hand: Hand): Promise<string> {
    await this.#go("console/peering");
    const before = await this.#leased();
    await hand.press('form[data-call$="/api/user/prefix"] button');
    return await until(
      "the lease",
      async () => (await this.#leased()).find((one) => !before.includes(one)) ?? false,
      ceilingMs,
    );
  }

  async announce(hand: Hand, prefix: string, prepend: number): Promise<void> {
    await this.#go("console/peering");
    const form = "form[data-call*='announcements/{prefix}']";
    await hand.choose(`${form} [name=prefix]`, prefix);
    await hand.write(`${form} [name=prepend]`, String(prepend));
    await hand.press(`${form} button`);
    await this.#comes("#said", "Your client stack takes it");
  }

  async withdraw(hand: Hand): Promise<void> {
    await this.#go("console/peering");
    await hand.press("form[data-call$='/api/announcements'] button");
    await this.#comes("#said", "withdrawn");
  }

  /** The looking glass, until it shows this of a prefix. */
  async look(hand: Hand, prefix: string, words: string): Promise<string> {
    return await until(
      `${words} in the looking glass`,
      async () => {
        await this.#go("console/routes");
        await hand.write("main [name=resource]", prefix);
        await hand.press("main form button.main");
        await this.#arrive("/console/routes", "resource=");
        const text = (await this.#tab.text("main")).replaceAll(/\s+/g, " ");
        return text.includes(words) && text;
      },
      ceilingMs,
    );
  }

  #go(path: string): Promise<void> {
    return this.#tab.go(`${this.#url}${path}`);
  }

  async #arrive(path: string, query = ""): Promise<void> {
    const isThere = `location.pathname.startsWith(${JSON.stringify(path)}) &&
      location.search.includes(${JSON.stringify(query)}) && document.readyState === "complete"`;
    await until(path, () => this.#tab.eval<boolean>(isThere), ceilingMs);
  }

  async #comes(place: string, words: string): Promise<void> {
    const read = () => this.#tab.text(place);
    await until(`"${words}" in ${place}`, async () => (await read()).includes(words), ceilingMs).catch(
      async (cause: unknown) => {
        throw new Error(`${place} does not come to "${words}": ${await read()}`, { cause });
      },
    );
  }

  #leased(): Promise<string[]> {
    return this.#tab.eval(
      `[...document.querySelectorAll("#peering section[aria-labelledby=leases-title] tbody th")].map(
        ({ textContent }) => textContent.trim())`,
    );
  }
}
