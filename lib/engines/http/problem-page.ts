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

/** The failure as the caller reads it: browsers name HTML before all else when a person opens an address. */
export async function answerProblem(c: Context, problem: Problem, requestId: string): Promise<Response> {
  const answer = problem.toResponse(c.req.url, requestId);
  const isAsked = c.req.method === "GET" || c.req.method === "HEAD";
  if (!isAsked || accepts(c, { header: "Accept", supports: [json, page], default: json }) !== page) {
    return answer;
  }
  const text = await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${problem.message}</title><style>${raw(pageStyle)}</style></head>
<body><main><h1>${sentence(problem.message)}</h1>
<p>Status ${problem.status}, code <code>${problem.code}</code>, request <code>${requestId}</code></p>
<p><a href="/">Start</a> · <a href="/docs">API</a></p></main></body></html>`;
  const kept = Object.fromEntries(answer.headers);
  return new Response(`${text}`, { status: problem.status, headers: { ...kept, ...headers } });
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
