/** `vantage mcp`: lets a language model measure, by the Model Context Protocol on standard input and output. */
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { defineCommand } from "../../../lib/command/command/command.ts";
import { type ExitCode, exitCodes } from "../../../lib/command/command/exit-codes.ts";
import {
  addressOptions,
  commonOptions,
  loginOptions,
} from "../../../lib/command/command/gateway/common-options.ts";
import { inSession } from "../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../lib/command/command/gateway/session.ts";
import { number } from "../../../lib/command/command/kinds.ts";
import { Vantage } from "../../../lib/engines/sdk/vantage.ts";
import { Budget } from "./budget.ts";
import { budgetDefault, budgetMax, messageBytesMax, noteCharsMax } from "./limits.ts";
import { OwnMeasurements } from "./own-measurements.ts";
import { mcpServer } from "./tools.ts";

export const command = defineCommand({
  about: `A program with a language model starts it, and speaks with it on standard input and output: it lists agents, \
estimates, measures, waits, reads results, as you and within a budget. Give the model an API token of its own, with \
few scopes, by VANTAGE_TOKEN: what the token may not do, the gateway refuses.`,
  options: {
    budget: {
      kind: number(0, budgetMax, "PROBES"),
      default: budgetDefault,
      meaning: "probes, times agents, that it may send until it ends; with 0 it can only read",
    },
    "cancel-any": {
      flag: true,
      default: false,
      meaning: "allow it to cancel measurements that it did not start",
    },
    ...addressOptions.probing,
    profile: loginOptions.profile,
  },
  arguments: {},
  examples: [["vantage mcp --budget 2000", "the command to give to the program with the model"]],
  act: (given, { name }) =>
    inSession(name, commonOptions(given, "probing", "table"), (session) => serve(session, given)),
});

interface ServeOptions {
  readonly budget: number;
  readonly "cancel-any": boolean;
}

/** Until the client closes our input, or sends a message that is too long, after which the transport reads no more. */
async function serve(session: GatewaySession, given: ServeOptions): Promise<ExitCode> {
  const vantage = new Vantage(await session.open());
  const budget = new Budget(given.budget);
  const own = new OwnMeasurements(given["cancel-any"]);
  const { promise, resolve } = Promise.withResolvers<ExitCode>();
  const transport = new StdioServerTransport(process.stdin, process.stdout, {
    maxBufferSize: messageBytesMax,
  });
  const server = serveStdio(() => mcpServer({ vantage, budget, own }), {
    transport,
    onerror: (error) => session.note(error.message.slice(0, noteCharsMax)),
  });
  for (const end of ["end", "close", "error"]) {
    process.stdin.once(end, () => resolve(exitCodes.ok));
  }
  const closed = transport.onclose;
  transport.onclose = () => {
    closed?.();
    resolve(process.stdin.readableEnded ? exitCodes.ok : exitCodes.failure);
  };
  session.signal.addEventListener("abort", () => resolve(exitCodes.ok), { once: true });
  const exitCode = await promise;
  await server.close();
  return exitCode;
}
