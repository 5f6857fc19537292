/** @jsxImportSource hono/jsx */
/** What an API refused, in its own words, with what can be done here. */
import { Problem } from "../../../lib/engines/http/problem.ts";
import { ApiProblem } from "../api-client.ts";
import type { View } from "../page.ts";

const titles: Readonly<Record<number, string>> = {
  401: "Log in first",
  403: "Not for you",
  404: "Not there",
  429: "Not so fast",
  503: "Not now",
};

/** The code while the column store is away. */
const storeAway = "store_unavailable";

/** The page for what the API, or a part of the console, refused; rethrows anything else. */
export function failureView(error: unknown): View {
  if (!(error instanceof ApiProblem || error instanceof Problem)) {
    throw error;
  }
  const { status, code, message } = error;
  const shown = ([400, 401, 403, 404, 429, 503] as const).find((one) => one === status) ?? 502;
  return {
    title: titles[status] ?? "Something went wrong",
    status: shown,
    body: (
      <div class="card is-bad">
        <p>{message}</p>
        {code === storeAway ? (
          <p>
            What is measured goes on, and waits to be stored. Progress, campaigns, agents and all that has no
            results in it are there as before; this comes back by itself.
          </p>
        ) : null}
        <p class="soft">
          Code <code>{code}</code>
        </p>
      </div>
    ),
  };
}

interface Part<Value> {
  readonly value: Value | null;
  /** Null = it is there. */
  readonly failure: View | null;
}

/** A part of a page that does not take the others with it: what it is, or what the API refused. */
export async function orFailure<Value>(part: Promise<Value>): Promise<Part<Value>> {
  return await part.then(
    (value) => ({ value, failure: null }),
    (error: unknown) => ({ value: null, failure: failureView(error) }),
  );
}

/** It may come back: a page asks for such a part again. */
export function isAway(failure: View | null): boolean {
  return failure?.status === 503;
}
