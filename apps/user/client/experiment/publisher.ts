/**
 * Sends an experiment's journal to the probing gateway, where the console shows it. Lines that the gateway has are not
 * sent again; without the gateway an experiment continues, and its journal is sent later.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { keptAnswer } from "../../../../lib/base/api/experiments.ts";
import { journalFile } from "../../../../lib/base/disk/change-log.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { GatewayError } from "../../../../lib/engines/gateway-client/gateway-error.ts";
import { pause } from "../../../../lib/engines/gateway-client/pause.ts";
import { publishAliveMs, publishCharsMax, publishEndMs, publishEveryMs, publishLinesMax } from "../limits.ts";
import { jsonHeaders } from "../peering/lease-arguments.ts";
import { readJournal } from "./journal.ts";
import { journalArgument } from "./printed.ts";
import { Trouble } from "./trouble.ts";

const pieceBytes = 1_048_576;
const lineEnd = 0x0a;

export class JournalPublisher {
  readonly #gateway: Gateway;
  readonly #path: string;
  #id: string | null = null;
  /** Lines that the gateway has; lines read from the file, and the offset of the next one. */
  #entries = 0;
  #lines = 0;
  #offset = 0;
  #receivedMs = 0;

  constructor(gateway: Gateway, folder: string) {
    this.#gateway = gateway;
    this.#path = join(folder, journalFile);
  }

  /** The experiment's id at the gateway; null = nothing has been sent. */
  get id(): string | null {
    return this.#id;
  }

  /** Sends all existing lines; resolves to the gateway's number of lines. Rejects with GatewayError. */
  async send(signal?: AbortSignal): Promise<number> {
    for (;;) {
      const { lines, endOffset } = this.#next();
      const [first] = lines;
      if (this.#id === null) {
        if (first === undefined) {
          return 0;
        }
        const kept = await this.#ask("/api/experiments", { begun: first }, signal);
        [this.#id, this.#entries] = [kept.id, kept.entries];
      }
      const isAlive = performance.now() - this.#receivedMs < publishAliveMs;
      const from = Math.max(this.#lines, Math.min(this.#entries, this.#lines + lines.length));
      const more = lines.slice(from - this.#lines);
      if (more.length > 0 || (lines.length === 0 && !isAlive)) {
        const body = { from, lines: more };
        this.#entries = (await this.#ask(`/api/experiments/${this.#id}/journal`, body, signal)).entries;
        this.#receivedMs = performance.now();
      }
      this.#lines += lines.length;
      this.#offset = endOffset;
      if (lines.length === 0) {
        return this.#entries;
      }
    }
  }

  /** Until the signal, then the rest. */
  async keepSending(signal: AbortSignal, say: (line: string) => void): Promise<void> {
    const trouble = new Trouble("cannot send the journal to the probing gateway", say);
    let isRefused = false;
    for (
      await pause(publishEveryMs, signal);
      !signal.aborted && !isRefused;
      await pause(publishEveryMs, signal)
    ) {
      isRefused = isFinal(await trouble.of(() => this.send()));
    }
    if (!isRefused) {
      // Lines written during the last request.
      await trouble.of(() => this.send(AbortSignal.timeout(publishEndMs)));
    }
    if (trouble.is) {
      say("the gateway does not have the whole journal: vantage experiment publish sends it");
    }
  }

  #ask(path: string, body: object, signal?: AbortSignal) {
    const ask = {
      method: "POST",
      headers: jsonHeaders,
      body: JSON.stringify(body),
      repeatable: true,
    } as const;
    return this.#gateway.read(path, keptAnswer, signal === undefined ? ask : { ...ask, signal });
  }

  /** Whole lines from the file, some at a time. */
  #next(): { readonly lines: readonly string[]; readonly endOffset: number } {
    const file = openSync(this.#path, "r");
    try {
      let text = Buffer.alloc(0);
      for (;;) {
        const piece = Buffer.alloc(pieceBytes);
        const got = readSync(file, piece, 0, piece.length, this.#offset + text.length);
        text = Buffer.concat([text, piece.subarray(0, got)]);
        // A line may be longer than a piece; the last one may be incomplete.
        if (got === 0 || text.includes(lineEnd)) {
          break;
        }
      }
      const lines: string[] = [];
      let [from, chars] = [0, 0];
      for (let end = text.indexOf(lineEnd); end >= 0; end = text.indexOf(lineEnd, from)) {
        const line = text.toString("utf8", from, end);
        if (lines.length > 0 && (chars + line.length > publishCharsMax || lines.length >= publishLinesMax)) {
          break;
        }
        lines.push(line);
        chars += line.length;
        from = end + 1;
      }
      return { lines, endOffset: this.#offset + from };
    } finally {
      closeSync(file);
    }
  }
}

/** Refusals are permanent. */
function isFinal(error: unknown): boolean {
  return error instanceof GatewayError && error.status !== null && error.status < 500 && error.status !== 429;
}

export const publish = gatewayCommand({
  about: `vantage experiment run does this by itself, unless it is asked for --private. The gateway keeps the journal \
with its user, shows it to no one else, and serves its results: GET /api/experiments/ID, …/timeline, …/journal.
Lines that the gateway has already are not sent again.`,
  options: {},
  arguments: { journal: journalArgument },
  examples: ["vantage experiment publish prepend.yaml.journal"],
  act: async (session, { journal }) => {
    if (readJournal(journal).begun === null) {
      throw cannot(`${journal} has no experiment that was begun: begin one with vantage experiment run`);
    }
    const publisher = new JournalPublisher(await session.open(), journal);
    const entries = await publisher.send(session.signal);
    session.note(`${publisher.id}: ${entries} lines are at ${session.chosen().address}`);
    return exitCodes.ok;
  },
});
