/** Failures as pages, for people who opened an address in a browser; programs get problem details. */
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import { html, raw } from "hono/html";
import { pageStyle } from "../../base/pages/page-style.ts";
import type { Problem } from "./problem.ts";

const json = "application/json";
const page = "text/html";

/** Nothing but the page's own style. */
const headers = {
  "content-type": `${page}; charset=utf-8`,
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

interface Occurrence {
  readonly requestId: string;
  /** Path of the service's console, where people log in; null = it has none. */
  readonly console: string | null;
}

/** The failure as the caller reads it: browsers name HTML before all else when a person opens an address. */
export async function answerProblem(
  c: Context,
  problem: Problem,
  { requestId, console }: Occurrence,
): Promise<Response> {
  const answer = problem.toResponse(c.req.url, requestId);
  const isAsked = c.req.method === "GET" || c.req.method === "HEAD";
  if (!isAsked || accepts(c, { header: "Accept", supports: [json, page], default: json }) !== page) {
    return answer;
  }
  const isLogin = problem.status === 401;
  const title = isLogin ? "You are not logged in" : problem.message;
  const text = await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title}</title><style>${raw(pageStyle)}</style></head>
<body><main><h1>${sentence(title)}</h1>${isLogin ? loginAdvice(problem, console) : ""}
<p>Status ${problem.status}, code <code>${problem.code}</code>, request <code>${requestId}</code></p>
<p><a href="/">Start</a> · <a href="/docs">API</a></p></main></body></html>`;
  const kept = Object.fromEntries(answer.headers);
  return new Response(`${text}`, { status: problem.status, headers: { ...kept, ...headers } });
}

/** Browsers send no token: their login is the console's. */
function loginAdvice({ message }: Problem, console: string | null) {
  const place =
    console === null
      ? html`In a browser, use this platform's console, at its probing gateway.`
      : html`In a browser, log in at <a href="${console}">the console</a>, which shows the same data.`;
  return html`
<p>${place}</p>
<p>This address is part of the API. Programs send a token, as from <code>vantage login</code>:
${sentence(message)}</p>`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
