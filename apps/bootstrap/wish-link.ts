/** The link to the gateway: takes each new version of the wishes at once, and reports what came of them. */
import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import { announcementsAnswer } from "../../lib/api/announcements.ts";
import { Gateway } from "../../lib/gateway-client/gateway.ts";
import { GatewayError } from "../../lib/gateway-client/gateway-error.ts";
import { fixedToken } from "../../lib/gateway-client/token-source.ts";
import packageJson from "../../package.json" with { type: "json" };
import { nanosOf } from "./announcement-states.ts";
import type { Client } from "./client.ts";
import { oldGatewayEveryMs, reportAnswerMs, reportPauseMs, wishPauseMs, wishWaitSec } from "./limits.ts";
import { wishesSchema } from "./wishes.ts";

const answerSchema = v.object({
  version: announcementsAnswer.entries.version,
  announcements: wishesSchema.entries.wishes,
});

export class WishLink {
  readonly #client: Client;
  readonly #gateway: Gateway;
  #isSending = false;
  #sent = "";
  #reportAtMs = Number.NEGATIVE_INFINITY;

  constructor(client: Client, { url, token }: { readonly url: string; readonly token: string }) {
    this.#client = client;
    this.#gateway = new Gateway({
      address: url,
      tokens: fixedToken(token),
      userAgent: `vantage/${packageJson.version}`,
      // The next request comes by the clock.
      retryDelaysMs: [],
    });
  }

  /** Until the signal. What goes wrong is shown by the client, and tried again. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let pauseMs = wishPauseMs;
      await this.#client.attempt("wishes", async () => {
        pauseMs = await this.#ask(signal);
      });
      await pause(pauseMs, null, { signal }).catch(() => undefined);
    }
  }

  /** Milliseconds until the next question. Rejects with GatewayError. */
  async #ask(signal: AbortSignal): Promise<number> {
    const client = this.#client;
    const { elapsedMs, nowMs } = client.parts;
    const askedAtMs = elapsedMs();
    const query = { since: client.snapshot.wishes.version, wait: wishWaitSec };
    const answerMs = wishWaitSec * 1000 + reportAnswerMs;
    try {
      const options = { query, signal, answerMs };
      const { version, announcements } = await this.#gateway.read(
        "/api/announcements",
        answerSchema,
        options,
      );
      if (version !== query.since) {
        await client.take({ version, wishes: announcements, takenNs: nanosOf(nowMs()) });
        void this.report();
        return 0;
      }
      return elapsedMs() - askedAtMs < wishPauseMs ? wishPauseMs : 0;
    } catch (error) {
      if (signal.aborted || (error instanceof GatewayError && error.status === 404)) {
        // A gateway of before.
        return oldGatewayEveryMs;
      }
      throw error;
    }
  }

  /** Sends what is new since the last report; never rejects. */
  async report(): Promise<void> {
    const { parts, snapshot } = this.#client;
    const { version, takenNs } = snapshot.wishes;
    const body = JSON.stringify({
      machine: snapshot.ownAddress ?? "",
      version,
      taken_ns: takenNs,
      states: snapshot.states,
    });
    const isDue = version > 0 && body !== this.#sent && parts.elapsedMs() >= this.#reportAtMs;
    if (!isDue || this.#isSending) {
      return;
    }
    this.#isSending = true;
    try {
      const headers = { "content-type": "application/json" };
      const answerMs = reportAnswerMs;
      await this.#gateway.request("/api/announcement-report", { method: "PUT", headers, body, answerMs });
      this.#sent = body;
    } catch (error) {
      this.#reportAtMs = parts.elapsedMs() + reportPauseMs;
      parts.log.warn("Cannot report to the gateway; trying again", { error });
    } finally {
      this.#isSending = false;
    }
  }
}
