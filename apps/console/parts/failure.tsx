/** @jsxImportSource hono/jsx */
/** What an API refused, in its own words, with what can be done here. */
import { Problem } from "../../../lib/http/problem.ts";
import { ApiProblem } from "../api-client.ts";
import type { View } from "../page.ts";

const titles: Readonly<Record<number, string>> = {
  401: "Log in first",
  403: "Not for you",
  404: "Not there",
  429: "Not so fast",
  503: "Not now",
};

/** The page for what the API, or a part of the console, refused; rethrows anything else. */
export function failureView(error: unknown): View {
  if (!(error instanceof ApiProblem || error instanceof Problem)) {
    throw error;
  }
  const { status, code, message } = error;
  const shown = ([400, 401, 403, 404, 429, 503] as const).find((one) => one === status) ?? 502;
  return {
    title: titles[status] ?? "That did not work",
    status: shown,
    body: (
      <div class="card is-bad">
        <p>{message}</p>
        <p class="soft">
          Code <code>{code}</code>
        </p>
      </div>
    ),
  };
}
