/** `vantage admin users export`: all stored data about one user, as one JSON object of any size. */
import { cannot } from "../../../lib/command/command/command-error.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { answerBytes, answerLines } from "../../../lib/engines/gateway-client/answer-bytes.ts";
import { GatewayError } from "../../../lib/engines/gateway-client/gateway-error.ts";
import { type AdminApi, knownAnswer, noneOn } from "./admin-api.ts";
import { userArgument } from "./arguments.ts";
import { bothCommand } from "./both-command.ts";
import { hashOf } from "./who.ts";

export const exportCommand = bothCommand({
  isWhole: true,
  about: `One JSON object with probing, peering, replies, probes and history; null where a gateway does not have the \
user. It holds personal data: keep it apart, and delete it when it was handed over.`,
  options: {
    results: { flag: true, default: true, meaning: "with the rows of the column store" },
  },
  arguments: { user: userArgument },
  examples: [
    "vantage admin users export 'auth0|68a1' | gzip >68a1.json.gz",
    "vantage admin users export 'auth0|68a1' --no-results",
  ],
  act: async (session, { probing, peering }, { user, results }) => {
    const hash = await hashOf({ probing, peering }, user);
    const path = `/users/${hash}/export`;
    const [ofProbing, ofPeering] = [await knownAnswer(probing, path), await knownAnswer(peering, path)];
    if (ofProbing === null && ofPeering === null) {
      throw cannot(`No such user: ${user}. Nothing is kept`);
    }
    const write = (text: string) => session.show.write(new TextEncoder().encode(text));
    write(`{"user_hash":"${hash}","exported_at":"${new Date().toISOString()}","probing":`);
    await copy(ofProbing, session.show.write);
    write(`,"peering":`);
    await copy(ofPeering, session.show.write);
    for (const table of results && ofProbing !== null ? (["replies", "probes", "history"] as const) : []) {
      write(`,"${table}":[`);
      await copyRows(await storeAnswer(probing, `${path}/${table}`), write);
      write("]");
    }
    write("}\n");
    return exitCodes.ok;
  },
});

/** Null where the gateway has no store. */
async function storeAnswer(api: AdminApi | null, path: string): Promise<Response | null> {
  try {
    return api === null ? null : await noneOn("no_store", api.stream(path));
  } catch (error) {
    if (error instanceof GatewayError && error.code === "store_unavailable") {
      throw cannot(`${error.message}; what the databases keep comes with --no-results`, { cause: error });
    }
    throw error;
  }
}

async function copy(answer: Response | null, write: (bytes: Uint8Array) => void): Promise<void> {
  if (answer === null) {
    write(new TextEncoder().encode("null"));
    return;
  }
  for await (const bytes of answerBytes(answer)) {
    write(bytes);
  }
}

/** Lines of JSON as members of an array. */
async function copyRows(answer: Response | null, write: (text: string) => void): Promise<void> {
  let separator = "\n";
  for await (const line of answer === null ? [] : answerLines(answer)) {
    write(`${separator}${line}`);
    separator = ",\n";
  }
}
