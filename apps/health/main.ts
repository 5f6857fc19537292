/** `vantage health`: asks one of our services for its health; a container has no other HTTP client. */

import { defineCommand } from "../../lib/command/command.ts";
import { cannot } from "../../lib/command/command-error.ts";
import { exitCodes } from "../../lib/command/exit-codes.ts";
import { url } from "../../lib/command/kinds.ts";
import { systemReason } from "../../lib/failure/system-reason.ts";
import { printLine } from "../../lib/terminal/output.ts";

/** Less than the default timeout of monitors, which is 30 s. */
const answerLimitMs = 10_000;

export const command = defineCommand({
  about: "Prints the answer.",
  options: {},
  arguments: { url: { kind: url, required: true, meaning: "a URL, as http://127.0.0.1:8080/health" } },
  examples: ["vantage health http://127.0.0.1:8080/health"],
  exits: { ok: "healthy", failure: "another answer than 2xx, or none in 10 s" },
  act: async ({ url: asked }) => {
    try {
      const answer = await fetch(asked, { signal: AbortSignal.timeout(answerLimitMs) });
      printLine((await answer.text()).trimEnd());
      return answer.ok ? exitCodes.ok : exitCodes.failure;
    } catch (cause) {
      const why = systemReason(cause);
      throw cannot(`Cannot ask ${asked}: ${why}`, { cause });
    }
  },
});
