/** @jsxImportSource hono/jsx */
/** What an API refused, in its own words, with what can be done here. */
import { Problem } from "../../../lib/engines/http/problem.ts";
import { ApiProblem } from "../api-client.ts";
import type { View } from "../page.ts";

const titles: Readonly<Record<number, string>> = {
  401: "Please log in",
  403: "Not allowed",
  404: "Page not found",
  429: "Too many requests",
  503: "Temporarily unavailable",
};

/** Titles of refusals whose code is more specific than their status. */
const titlesByCode: Readonly<Record<string, string>> = {
  not_an_operator: "Operators only",
  operators_only: "Operators only",
  user_suspended: "Your account is suspended",
};

/** Shown without a login, in place of what is missing in the request. */
const loginWanted = "This page shows what is yours: log in above, and it opens.";

/** The code while the column store is unavailable. */
const storeAway = "store_unavailable";

/** The page for what the API, or a part of the console, refused; rethrows anything else. */
export function failureView(error: unknown): View {
  if (!(error instanceof ApiProblem || error instanceof Problem)) {
    throw error;
  }
  const { status, code, message } = error;
  const shown = ([400, 401, 403, 404, 429, 503] as const).find((one) => one === status) ?? 502;
  return {
    title: titlesByCode[code] ?? titles[status] ?? "Something went wrong",
    status: shown,
    body: (
      <div class="card is-bad">
        <p>{status === 401 ? loginWanted : message}</p>
        {code === storeAway ? (
          <p>
            Measurements continue, and results wait to be stored. Progress, campaigns, agents and everything
            without results stay available; results return by themselves.
          </p>
        ) : null}
        {status === 401 ? null : (
          <p class="soft">
            Code <code>{code}</code>
          </p>
        )}
      </div>
    ),
  };
}

interface Part<Value> {
  readonly value: Value | null;
  /** Null = available. */
  readonly failure: View | null;
}

/** A part of a page that fails alone: its content, or the API's refusal. */
export async function orFailure<Value>(part: Promise<Value>): Promise<Part<Value>> {
  return await part.then(
    (value) => ({ value, failure: null }),
    (error: unknown) => ({ value: null, failure: failureView(error) }),
  );
}

/** Temporary: a page fetches such a part again. */
export function isAway(failure: View | null): boolean {
  return failure?.status === 503;
}
