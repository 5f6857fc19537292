/**
 * What a person does in a browser and at a keyboard, at the core, where the development issuer can be reached:
 *
 *   bun person.ts join URL NAME       opens the address that `tailscale up` shows, and logs in
 *   bun person.ts token ISSUER NAME   logs in by device code, and prints a token for the gateways
 */
import { Browser } from "../../issuer/browser.ts";
import { deviceLogin } from "../../issuer/device-login.ts";

async function join(url: string, name: string): Promise<string> {
  const browser = new Browser();
  const login = await browser.open(url);
  const done = await browser.submit(login, { name });
  const text = done.text.replaceAll(/<(script|style)[\s\S]*?<\/\1>|<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
  if (!text.includes("Signed in")) {
    throw new Error(`Cannot log in as ${name} at ${url}: ${done.status} ${text}`);
  }
  return text.trim();
}

const [, , order = "", address = "", name = ""] = process.argv;
const said = order === "join" ? await join(address, name) : (await deviceLogin(address, name)).access_token;
process.stdout.write(`${said}\n`);
