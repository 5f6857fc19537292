/** How somebody works at a page: with a mouse, or with the keyboard alone. */
import { Keyboard } from "./keyboard.ts";
import type { Tab } from "./tab.ts";

export interface Hand {
  /** In names of what it makes. */
  readonly name: "mouse" | "keyboard";
  /** Takes the place of what stands in the field. */
  write(selector: string, text: string): Promise<void>;
  /** An option of a select, by its value. */
  choose(selector: string, value: string): Promise<void>;
  /** Presses a button, follows a link, unfolds details. */
  press(selector: string): Promise<void>;
}

export class KeyboardHand implements Hand {
  readonly name = "keyboard";
  readonly #tab: Tab;
  readonly #keys: Keyboard;

  constructor(tab: Tab) {
    this.#tab = tab;
    this.#keys = new Keyboard(tab);
  }

  write(selector: string, text: string): Promise<void> {
    return this.#keys.write(selector, text);
  }

  async choose(selector: string, value: string): Promise<void> {
    await this.#keys.to(selector);
    const index = await this.#tab.eval<number>(
      `[...document.activeElement.options].findIndex((one) => one.value === ${JSON.stringify(value)})`,
    );
    await this.#tab.press("Home");
    for (let i = 0; i < index; i++) {
      await this.#tab.press("ArrowDown");
    }
  }

  press(selector: string): Promise<void> {
    return this.#keys.enter(selector);
  }
}

export class MouseHand implements Hand {
  readonly name = "mouse";
  clicks = 0;
  readonly #tab: Tab;

  constructor(tab: Tab) {
    this.#tab = tab;
  }

  async write(selector: string, text: string): Promise<void> {
    await this.press(selector);
    await this.#tab.eval("document.activeElement.select?.()");
    await this.#tab.type(text);
  }

  /** What the browser does when an option is clicked: its list is not in the page. */
  async choose(selector: string, value: string): Promise<void> {
    await this.#tab.eval(`{
      const field = document.querySelector(${JSON.stringify(selector)});
      field.value = ${JSON.stringify(value)};
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }`);
  }

  /** In the middle of what is there; throws where something else lies over it. */
  async press(selector: string): Promise<void> {
    const [x, y] = await this.#tab.eval<[number, number]>(`(() => {
      const one = document.querySelector(${JSON.stringify(selector)});
      one.scrollIntoView({ block: "center" });
      const { left, top, width, height } = one.getBoundingClientRect();
      const at = [left + width / 2, top + height / 2];
      const hit = document.elementFromPoint(...at);
      if (hit === null || !(one.contains(hit) || hit.contains(one))) {
        throw new Error("Covered: " + one.outerHTML.slice(0, 200));
      }
      return at;
    })()`);
    this.clicks++;
    await this.#tab.mouse("mouseMoved", x, y);
    await this.#tab.mouse("mousePressed", x, y);
    await this.#tab.mouse("mouseReleased", x, y);
  }
}
