/** `vantage health`: requests a service's health; a container has no other HTTP client. */
import { setTimeout as pause } from "node:timers/promises";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import { printLine } from "../../../lib/base/terminal/output.ts";
import { defineCommand } from "../../../lib/command/command/command.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { complain } from "../../../lib/command/command/complain.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { number, url } from "../../../lib/command/command/kinds.ts";

/** Less than the default timeout of monitors, which is 30 s. */
const answerLimitMs = 10_000;
/** Longest `--wait` in seconds; milliseconds between two requests, and between two progress lines. */
const waitSecMax = 86_400;
const askAgainMs = 2000;
const saidEveryMs = 30_000;

export const command = defineCommand({
  about: "Prints the answer.",
  options: {
    wait: {
      kind: number(1, waitSecMax, "SECONDS"),
      defaultText: "not at all",
      meaning: "try again until it is healthy, at most this long, and print what it waits for",
    },
  },
  arguments: {
    url: {
      kind: url,
      required: true,
      meaning: "a URL, as http://127.0.0.1:8080/ready; without a path: /health",
    },
  },
  examples: [
    "vantage health http://127.0.0.1:8080",
    "vantage health http://127.0.0.1:8080/ready",
    "vantage health --wait 900 https://login.example.net/realms/vantage",
  ],
  exits: { ok: "healthy", failure: "another answer than 2xx, a page for browsers, or none in 10 s" },
  act: async ({ url: given, wait }, { name }) => {
    const asked = healthUrl(given);
    const { answer, text } = await (wait === null ? ask(asked) : waitFor(asked, wait, name));
    if (isPage(answer)) {
      const next = `give the service's health, as ${new URL("/health", asked)}`;
      throw cannot(
        `${asked} is a page for browsers (status ${answer.status}), not a service's health: ${next}`,
      );
    }
    printLine(text.trimEnd());
    return answer.ok ? exitCodes.ok : exitCodes.failure;
  },
});

/** Polls until the service is healthy or the time is over; then the same as `ask`, with the last response. */
async function waitFor(url: string, seconds: number, name: string): ReturnType<typeof ask> {
  const startedMs = performance.now();
  let saidMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    const found = await ask(url).catch((error: unknown) => error);
    const isAnswer = isReply(found);
    const isOver = performance.now() - startedMs >= seconds * 1000;
    if (isAnswer && (found.answer.ok || isOver)) {
      return found;
    }
    const reason = isAnswer ? `${url} answers with status ${found.answer.status}` : systemReason(found);
    if (isOver) {
      throw cannot(`${reason}; it has been waited for ${seconds} s`);
    }
    if (performance.now() - saidMs >= saidEveryMs) {
      saidMs = performance.now();
      complain(name, `waiting: ${reason}`);
    }
    await pause(askAgainMs);
  }
}

function isReply(found: unknown): found is Awaited<ReturnType<typeof ask>> {
  return typeof found === "object" && found !== null && "answer" in found;
}

/** A service's address alone stands for its `/health`: at a gateway, `/` is the console. */
function healthUrl(given: string): string {
  const { pathname, search } = new URL(given);
  return pathname === "/" && search === "" ? new URL("/health", given).href : given;
}

async function ask(url: string) {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(answerLimitMs) });
    return { answer, text: await answer.text() };
  } catch (cause) {
    throw cannot(`Cannot reach ${url}: ${systemReason(cause)}`, { cause });
  }
}

/** A response of a proxy, a console or another program at a wrong address. */
function isPage({ headers }: Response): boolean {
  return (headers.get("content-type") ?? "").startsWith("text/html");
}
