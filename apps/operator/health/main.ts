/** `vantage health`: asks one of our services for its health; a container has no other HTTP client. */
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import { printLine } from "../../../lib/base/terminal/output.ts";
import { defineCommand } from "../../../lib/command/command/command.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { url } from "../../../lib/command/command/kinds.ts";

/** Less than the default timeout of monitors, which is 30 s. */
const answerLimitMs = 10_000;

export const command = defineCommand({
  about: "Prints the answer.",
  options: {},
  arguments: {
    url: {
      kind: url,
      required: true,
      meaning: "a URL, as http://127.0.0.1:8080/ready; without a path: /health",
    },
  },
  examples: ["vantage health http://127.0.0.1:8080", "vantage health http://127.0.0.1:8080/ready"],
  exits: { ok: "healthy", failure: "another answer than 2xx, a page for browsers, or none in 10 s" },
  act: async ({ url: given }) => {
    const asked = healthUrl(given);
    const { answer, text } = await ask(asked);
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
    throw cannot(`Cannot ask ${url}: ${systemReason(cause)}`, { cause });
  }
}

/** What a proxy, a console or another program serves at a wrong address. */
function isPage({ headers }: Response): boolean {
  return (headers.get("content-type") ?? "").startsWith("text/html");
}
