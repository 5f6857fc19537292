/** A tab of a browser: goes to a page, looks at it in several ways, presses keys, asks what is there. */
import axe from "axe-core";
import { until } from "../exchange/until.ts";
import type { Devtools } from "./devtools.ts";

/** How a page is looked at; widths are in CSS pixels. */
export interface Look {
  readonly scheme: "light" | "dark";
  readonly widthPx: number;
}

export const looks = {
  light: { scheme: "light", widthPx: 1100 },
  dark: { scheme: "dark", widthPx: 1100 },
  phone: { scheme: "light", widthPx: 360 },
} as const satisfies Record<string, Look>;

const heightPx = 800;
/** A picture ends there: long tables are all alike, and files of pictures are carried around with the sources. */
const pictureHeightPx = 840;

/** What axe-core finds: the rule, and the places that break it. */
interface Violation {
  readonly rule: string;
  readonly help: string;
  readonly places: readonly string[];
}

interface Evaluation {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: {
    readonly text: string;
    readonly exception?: { readonly description?: string };
  };
}

export class Tab {
  /** What the page itself complained of: errors of scripts, and what its policy has blocked. */
  readonly complaints: string[] = [];
  /** Addresses of all that it has asked for, of pages before this one too. */
  readonly requests: string[] = [];
  readonly #devtools: Devtools;
  readonly #session: string;

  private constructor(devtools: Devtools, session: string) {
    this.#devtools = devtools;
    this.#session = session;
    devtools.onEvent(({ method, params, sessionId }) => {
      if (sessionId === session && ["Log.entryAdded", "Runtime.exceptionThrown"].includes(method)) {
        this.complaints.push(JSON.stringify(params));
      }
      if (sessionId === session && method === "Network.requestWillBeSent") {
        this.requests.push((params.request as { url: string }).url);
      }
    });
  }

  /** `context`: whose cookies it has; left out: the browser's own. */
  static async make(devtools: Devtools, context?: string): Promise<Tab> {
    const order = { url: "about:blank", ...(context === undefined ? {} : { browserContextId: context }) };
    const { targetId } = await devtools.ask<{ targetId: string }>("Target.createTarget", order);
    const target = { targetId, flatten: true };
    const { sessionId } = await devtools.ask<{ sessionId: string }>("Target.attachToTarget", target);
    const tab = new Tab(devtools, sessionId);
    for (const domain of ["Page", "Runtime", "Log", "Network"]) {
      await tab.#ask(`${domain}.enable`);
    }
    await tab.look(looks.light);
    return tab;
  }

  /** Waits until the page is there whole. */
  async go(url: string): Promise<void> {
    const { errorText } = await this.#ask<{ errorText?: string }>("Page.navigate", { url });
    if (errorText !== undefined) {
      throw new Error(`Cannot open ${url}: ${errorText}`);
    }
    await until(url, () => this.eval<boolean>("document.readyState === 'complete'"));
  }

  async look({ scheme, widthPx }: Look): Promise<void> {
    const features = [{ name: "prefers-color-scheme", value: scheme }];
    await this.#ask("Emulation.setEmulatedMedia", { features });
    const size = { width: widthPx, height: heightPx, deviceScaleFactor: 1, mobile: widthPx < 500 };
    await this.#ask("Emulation.setDeviceMetricsOverride", size);
  }

  /** The value of an expression of the page, as JSON carries it; promises are waited for. */
  async eval<Value>(expression: string): Promise<Value> {
    const request = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.#ask<Evaluation>("Runtime.evaluate", request);
    if (exceptionDetails !== undefined) {
      throw new Error(`In the page: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    }
    return result.value as Value;
  }

  /** What a reader sees, without markup. */
  text(selector = "body"): Promise<string> {
    return this.eval(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ""`);
  }

  async press(key: string): Promise<void> {
    const codes: Readonly<Record<string, number>> = {
      ...{ Tab: 9, Enter: 13, Escape: 27, " ": 32, End: 35, Home: 36 },
      ...{ ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 },
    };
    const stroke = { key, code: key, windowsVirtualKeyCode: codes[key] ?? 0 };
    // Pages hear of a letter only with its text.
    const letter = key.length === 1 ? { text: key } : {};
    const text = key === "Enter" ? { text: "\r" } : letter;
    await this.#ask("Input.dispatchKeyEvent", { type: "keyDown", ...stroke, ...text });
    await this.#ask("Input.dispatchKeyEvent", { type: "keyUp", ...stroke });
  }

  /** The left button, at a place of the window in CSS pixels. */
  async mouse(type: "mouseMoved" | "mousePressed" | "mouseReleased", x: number, y: number): Promise<void> {
    const button = type === "mouseMoved" ? {} : { button: "left", clickCount: 1 };
    await this.#ask("Input.dispatchMouseEvent", { type, x, y, ...button });
  }

  /** Into the field that has the focus. */
  async type(text: string): Promise<void> {
    await this.#ask("Input.insertText", { text });
  }

  /** Whether the page's requests come through. */
  async connect(isConnected: boolean): Promise<void> {
    const speed = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
    await this.#ask("Network.emulateNetworkConditions", { offline: !isConnected, ...speed });
  }

  /** Checks all rules of axe-core, including its best practices; `except` is left out, by a selector of CSS. */
  async violations(except?: string): Promise<Violation[]> {
    if (!(await this.eval<boolean>("typeof axe === 'object'"))) {
      await this.eval(`${axe.source}; undefined`);
    }
    const context = except === undefined ? "document" : JSON.stringify({ exclude: [[except]] });
    return this.eval(`axe.run(${context}, { resultTypes: ["violations"] }).then(({ violations }) =>
      violations.map(({ id, help, nodes }) => ({ rule: id, help, places: nodes.map(({ html }) => html) })))`);
  }

  /** The page, or the first element that a selector of CSS names, as PNG; what is below some height is cut off. */
  async picture(part = "html", mostPx = pictureHeightPx): Promise<Uint8Array> {
    const clip = await this.eval<object>(`(() => {
      const { x, y, width, height } = document.querySelector(${JSON.stringify(part)}).getBoundingClientRect();
      return { x: x + scrollX, y: y + scrollY, width, height: Math.min(height, ${mostPx}), scale: 1 };
    })()`);
    const request = { format: "png", captureBeyondViewport: true, clip };
    const { data } = await this.#ask<{ data: string }>("Page.captureScreenshot", request);
    return Buffer.from(data, "base64");
  }

  /** What scripts of the page hold, after garbage was collected. */
  async heapBytes(): Promise<number> {
    await this.#ask("HeapProfiler.collectGarbage");
    return (await this.#ask<{ usedSize: number }>("Runtime.getHeapUsage")).usedSize;
  }

  async close(): Promise<void> {
    await this.#ask("Page.close");
  }

  #ask<Result>(method: string, params: object = {}): Promise<Result> {
    return this.#devtools.ask<Result>(method, params, this.#session);
  }
}
