/** Somebody without a mouse: goes on by Tab until the focus is where they want it, and presses keys there. */
import { until } from "../exchange/until.ts";
import type { Tab } from "./tab.ts";

/** Further stops within a field for a time: Chromium has one for each part of it, and its calendar. */
const stopsInTime = 7;
/** More stops than a page of ours has. */
const stopsMax = 400;

export class Keyboard {
  readonly #tab: Tab;

  constructor(tab: Tab) {
    this.#tab = tab;
  }

  /** Throws where Tab never leads to what the selector of CSS names. */
  async to(selector: string): Promise<void> {
    const isThere = `document.activeElement.matches(${JSON.stringify(selector)})`;
    for (let stop = 0; stop < stopsMax; stop++) {
      if (await this.#tab.eval<boolean>(isThere)) {
        return;
      }
      await this.#tab.press("Tab");
    }
    throw new Error(`Tab does not lead to ${selector} on ${await this.#tab.eval<string>("location.href")}`);
  }

  /** Takes the place of what stands in the field. */
  async write(selector: string, text: string): Promise<void> {
    await this.to(selector);
    await this.#tab.eval("document.activeElement.select?.()");
    await this.#tab.type(text);
  }

  async enter(selector: string): Promise<void> {
    await this.to(selector);
    await this.#tab.press("Enter");
  }

  /** Enter at a link or button, until the browser is at that path. */
  async follow(selector: string, path: RegExp): Promise<void> {
    await this.enter(selector);
    await this.arrive(path);
  }

  async arrive(path: RegExp): Promise<void> {
    await until(String(path), () =>
      this.#tab.eval<boolean>(
        `${path}.test(location.pathname + location.search) && document.readyState === "complete"`,
      ),
    );
  }

  /** `g` and a letter. */
  async goTo(letter: string, path: RegExp): Promise<void> {
    await this.#tab.press("g");
    await this.#tab.press(letter);
    await this.arrive(path);
  }

  /** Markup of what can be worked with and is seen, but that Tab never stops at. */
  async unreached(): Promise<string[]> {
    const count = await this.#tab.eval<number>(`(() => {
      const able = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]";
      wanted = new Set([...document.querySelectorAll(able)].filter((one) =>
        one.checkVisibility() && !one.disabled && one.getAttribute("tabindex") !== "-1"));
      document.addEventListener("focusin", ({ target }) => wanted.delete(target));
      document.activeElement.blur();
      return wanted.size + ${stopsInTime} * [...wanted].filter((one) => one.type === "datetime-local").length;
    })()`);
    // Sent at once: the browser takes them in turn. Two more stops are the ends of the page.
    await Promise.all(Array.from({ length: count + 2 }, () => this.#tab.press("Tab")));
    return this.#tab.eval("[...wanted].map((one) => one.outerHTML.slice(0, 200))");
  }
}
