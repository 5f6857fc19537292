/** As much of a web browser as a login needs: cookies, redirects, forms, and the script that sends a form by itself. */

interface Page {
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

/** More redirects than any login has. */
const redirectsMax = 10;

export class Browser {
  /** Everything that was given, as the header has it. */
  readonly setCookies: string[] = [];
  readonly #cookies = new Map<string, string>();

  cookie(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  /** As somebody else would who can set cookies for this host. */
  plant(name: string, value: string): void {
    this.#cookies.set(name, value);
  }

  async open(url: string, form?: Readonly<Record<string, string>>): Promise<Page> {
    let [at, body] = [url, form];
    for (let i = 0; i < redirectsMax; i++) {
      const response = await fetch(at, {
        redirect: "manual",
        headers: { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
        ...(body === undefined ? {} : { method: "POST", body: new URLSearchParams(body) }),
      });
      this.#keep(response.headers.getSetCookie());
      const next = response.headers.get("location");
      if (next === null) {
        const page = { url: at, status: response.status, text: await response.text() };
        return page.text.includes("document.forms[0].submit()") ? this.submit(page) : page;
      }
      [at, body] = [new URL(next, at).href, undefined];
    }
    throw new Error(`Cannot open ${url}: more than ${redirectsMax} redirects`);
  }

  /** Sends the page's only form, with what is hidden in it and what is typed. */
  async submit(page: Page, typed: Readonly<Record<string, string>> = {}): Promise<Page> {
    const written = /<form[^>]* action="([^"]*)"/.exec(page.text)?.[1] ?? page.url;
    const action = written.replaceAll("&amp;", "&");
    const hidden = page.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
    const fields = Object.fromEntries([...hidden].map(([, name = "", value = ""]) => [name, value]));
    return this.open(new URL(action, page.url).href, { ...fields, ...typed });
  }

  #keep(cookies: readonly string[]): void {
    this.setCookies.push(...cookies);
    for (const cookie of cookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "") {
        this.#cookies.delete(name);
      } else {
        this.#cookies.set(name, value);
      }
    }
  }
}
