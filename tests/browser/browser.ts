/** A real Chromium without a screen. One serves many tests: each takes a tab of its own. */
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../exchange/until.ts";
import { Devtools } from "./devtools.ts";
import { Tab } from "./tab.ts";

/** Without a sandbox, as root has none; it opens our own pages only. */
const flags = [
  ...[
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--disable-lcd-text",
  ],
  ...["--no-first-run", "--disable-extensions", "--disable-background-networking", "--remote-debugging-pipe"],
];
/** Chromium has the pipe at 3 and 4; what it says itself goes to standard error. */
const pipes = 'exec "$@" 3<&0 4>&1 </dev/null >&2';

/** With `/vb-`, six letters, and `/org.chromium.Chromium.` and six more, `/SingletonSocket`. */
const folderLettersMax = 50;

export class Browser implements AsyncDisposable {
  // Chromium puts a socket into it, whose path has 107 letters at most: some temporary folders lie too deep.
  readonly #folder = mkdtempSync(join(tmpdir().length > folderLettersMax ? "/tmp" : tmpdir(), "vb-"));
  readonly #child;
  readonly #devtools: Devtools;

  private constructor(within: (command: string[]) => string[]) {
    const log = openSync(this.#log, "w");
    const chromium = ["chromium", ...flags, `--user-data-dir=${this.#folder}/profile`, "about:blank"];
    this.#child = Bun.spawn(within(["sh", "-c", pipes, "sh", ...chromium]), {
      stdin: "pipe",
      stdout: "pipe",
      stderr: log,
      // A process group of its own.
      detached: true,
      // Beside its profile it makes a folder for its lock, which stays when it is killed.
      env: { ...process.env, HOME: this.#folder, TMPDIR: this.#folder, TZ: "UTC", LANG: "C.UTF-8" },
    });
    closeSync(log);
    this.#devtools = new Devtools(this.#child);
  }

  /** `within` makes the command line of a network namespace. */
  static async start(
    within: (command: string[]) => string[] = (command) => ["setpriv", "--pdeathsig", "KILL", ...command],
  ): Promise<Browser> {
    const browser = new Browser(within);
    try {
      await browser.#devtools.ask("Browser.getVersion");
      return browser;
    } catch (cause) {
      const said = readFileSync(browser.#log, "utf8");
      await browser[Symbol.asyncDispose]();
      throw new Error(`Cannot start Chromium (Debian: chromium):\n${said}`, { cause });
    }
  }

  async open(url: string): Promise<Tab> {
    const tab = await Tab.make(this.#devtools);
    await tab.go(url);
    return tab;
  }

  /** As in a private window: nobody is logged in anywhere. */
  async openPrivately(url: string): Promise<Tab> {
    const context = await this.#devtools.ask<{ browserContextId: string }>("Target.createBrowserContext");
    const tab = await Tab.make(this.#devtools, context.browserContextId);
    await tab.go(url);
    return tab;
  }

  /** Files that pages offer are kept in this folder, under the names that they are offered with. */
  async keepDownloads(folder: string): Promise<void> {
    await this.#devtools.ask("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // With its helpers, which write into the folder until they have ended.
    try {
      process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // All have ended.
    }
    await this.#child.exited;
    // Bun's rmSync says nothing of a folder that has got a new file meanwhile (1.4.5).
    await until("its folder to be gone", () => {
      rmSync(this.#folder, { recursive: true, force: true });
      return !existsSync(this.#folder);
    });
  }

  get #log(): string {
    return join(this.#folder, "chromium.log");
  }
}
