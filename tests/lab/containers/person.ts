/**
 * A person with a browser at one of the machines: opens a link of the page, logs in at Keycloak and agrees to what it
 * asks. Prints the last page's text: bun person.js URL NAME PASSWORD
 */
import { Browser } from "../../issuer/browser.ts";

/** More pages than any login has. */
const pagesMax = 8;

const [, , url = "", username = "", password = ""] = process.argv;
const browser = new Browser();
let page = await browser.open(url);
for (let i = 0; i < pagesMax && /<form[^>]* action=/.test(page.text); i++) {
  const isLogin = page.text.includes('name="password"');
  page = await browser.submit(page, isLogin ? { username, password } : { accept: "Yes" });
}
const text = page.text.replaceAll(/<(script|style)[\s\S]*?<\/\1>|<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
process.stdout.write(`${page.status} ${page.url} ${text.trim()}\n`);
process.exitCode = page.status < 400 ? 0 : 1;
