/** The rogue from the test's side: opens sessions, sends, and waits for what the speaker tells. */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { until } from "../../exchange/until.ts";
import type { Announcement, Opening } from "./bgp-message.ts";
import { exchangeMember, rogueAddress } from "./plan.ts";
import type { RogueEvent, RogueOrder } from "./rogue-order.ts";

/** What is left out is as an honest peer says it. */
export interface Caller extends Partial<Omit<Opening, "asn">> {
  /** The rogue's own address when left out. */
  readonly source?: string;
}

const holdSecDefault = 30;

export class RogueSpeaker implements AsyncDisposable {
  readonly events: RogueEvent[] = [];
  readonly #child;
  #sessions = 0;

  /** `within` makes the command line of the rogue's namespace. */
  constructor(within: (command: string[]) => string[]) {
    const command = within([process.execPath, `${import.meta.dir}/rogue.ts`]);
    this.#child = Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
    const lines = createInterface({ input: Readable.fromWeb(this.#child.stdout as never) });
    lines.on("line", (line) => this.events.push(JSON.parse(line) as RogueEvent));
  }

  /** Starts a session; gives its number at once. */
  dial(asn: number, { source = rogueAddress, ...caller }: Caller = {}): number {
    const session = ++this.#sessions;
    const opening = { asn, routerId: "192.0.2.66", holdSec: holdSecDefault, ...caller };
    this.#order({ kind: "open", session, exchange: exchangeMember.v4, source, opening });
    return session;
  }

  /** Dials until a session is up: BIRD turns a peer away for a moment after an error. */
  dialUp(asn: number, caller: Caller = {}): Promise<number> {
    return until(`a session of AS${asn}`, async () => {
      const session = this.dial(asn, caller);
      await until("an answer", () => this.told(session, "up") || this.told(session, "closed"));
      return this.told(session, "up") && session;
    });
  }

  announce(session: number, ...announcements: Announcement[]): void {
    this.#order({ kind: "send", session, announce: announcements });
  }

  withdraw(session: number, ...prefixes: string[]): void {
    this.#order({ kind: "send", session, withdraw: prefixes });
  }

  /** Whole messages as they are. */
  send(session: number, ...messages: Uint8Array[]): void {
    this.#order({ kind: "send", session, raw: messages.map((message) => [...message]) });
  }

  /** Not even keepalives any more; the connection stays. */
  fallSilent(session: number): void {
    this.#order({ kind: "silence", session });
  }

  async hangUp(session: number): Promise<void> {
    this.#order({ kind: "close", session });
    await until(`end of session ${session}`, () => this.told(session, "closed"));
  }

  told(session: number, kind: RogueEvent["kind"]): boolean {
    return this.events.some((event) => event.session === session && event.kind === kind);
  }

  #order(order: RogueOrder): void {
    this.#child.stdin.write(`${JSON.stringify(order)}\n`);
    this.#child.stdin.flush();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }
}
