/** Where a login leads back to: a page of the console, whatever the address of the login says. */
import { returnPathCharsMax } from "../limits.ts";

const start = "/console";
/** An origin that nobody has: an address that leaves it is not ours. */
const origin = "http://console.invalid";

/** Path with query. The start for everything else: another host, `//host`, `/\host`, a script, a path of the API. */
export function returnPath(text: string | null): string {
  if (text === null || text.length > returnPathCharsMax || !URL.canParse(text, origin)) {
    return start;
  }
  const url = new URL(text, origin);
  const isOurs = url.origin === origin && /^\/console(\/|$)/.test(url.pathname);
  const isLogin = /^\/console\/(login|callback|logout|call|peering-call)(\/|$)/.test(url.pathname);
  return isOurs && !isLogin ? `${url.pathname}${url.search}` : start;
}
