/** Where a login returns to: always a page of the console, whatever the request contains. */
import { returnPathCharsMax } from "../limits.ts";

const start = "/console";
/** A reserved origin: a path that resolves to another origin is not ours. */
const origin = "http://console.invalid";

/** Path with query. The start page for anything else: another host, `//host`, `/\host`, a script, a path of the API. */
export function returnPath(text: string | null): string {
  if (text === null || text.length > returnPathCharsMax || !URL.canParse(text, origin)) {
    return start;
  }
  const url = new URL(text, origin);
  const isOurs = url.origin === origin && /^\/console(\/|$)/.test(url.pathname);
  const isLogin = /^\/console\/(login|callback|logout|call|peering-call)(\/|$)/.test(url.pathname);
  return isOurs && !isLogin ? `${url.pathname}${url.search}` : start;
}
