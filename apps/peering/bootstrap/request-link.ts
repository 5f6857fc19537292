/** The link to the gateway: fetches each new version of the announcement requests at once, and reports the results. */
import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import { announcementsAnswer, reportAnswer } from "../../../lib/base/api/announcements.ts";
import { Gateway } from "../../../lib/engines/gateway-client/gateway.ts";
import { GatewayError } from "../../../lib/engines/gateway-client/gateway-error.ts";
import { ClockWatch } from "../../../lib/measuring/probing/clock-watch.ts";
import { GatewayClock } from "../../../lib/measuring/probing/gateway-clock.ts";
import { nanosOf } from "../../../lib/measuring/probing/nanos-of.ts";
import packageJson from "../../../package.json" with { type: "json" };
import type { Client } from "./client.ts";
import type { GatewayLogin } from "./gateway-login.ts";
import {
  oldGatewayEveryMs,
  reportAnswerMs,
  reportPauseMs,
  requestPauseMs,
  requestWaitSec,
} from "./limits.ts";
import { requestsSchema } from "./requests.ts";

const answerSchema = v.object({
  version: announcementsAnswer.entries.version,
  announcements: requestsSchema.entries.requests,
});

type Clock = ReturnType<GatewayClock["offset"]>;

/** Worth a report of its own: first known, twice as sure, or another than was said. */
function saysMore(clock: Clock, sent: Clock): boolean {
  return (
    clock !== null &&
    (sent === null ||
      clock.within_ms < sent.within_ms / 2 ||
      Math.abs(clock.offset_ms - sent.offset_ms) > clock.within_ms + sent.within_ms)
  );
}

export class RequestLink {
  readonly #client: Client;
  readonly #gateway: Gateway;
  /** The gateway has answered: one of before announcement requests has not. */
  #isAnswered = false;
  #isSending = false;
  readonly #clock = new GatewayClock();
  readonly #watch = new ClockWatch();
  #steps = 0;
  /** The report that the gateway has, but for the clock; and that. */
  #sent = "";
  #sentClock: Clock = null;
  #reportAtMs = Number.NEGATIVE_INFINITY;

  constructor(client: Client, { url, tokens }: GatewayLogin) {
    this.#client = client;
    this.#gateway = new Gateway({
      address: url,
      tokens,
      userAgent: `vantage/${packageJson.version}`,
      // The next request comes by the clock.
      retryDelaysMs: [],
    });
  }

  /** Until the signal. What goes wrong is shown by the client, and tried again. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let pauseMs = requestPauseMs;
      await this.#client.attempt("requests", async () => {
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
    // The first answer is not held: what is announced without any request is to be reported soon, too.
    const isFirst = !this.#isAnswered;
    const query = { since: client.snapshot.requests.version, wait: isFirst ? 0 : requestWaitSec };
    const answerMs = requestWaitSec * 1000 + reportAnswerMs;
    try {
      const options = { query, signal, answerMs };
      const { version, announcements } = await this.#gateway.read(
        "/api/announcements",
        answerSchema,
        options,
      );
      this.#isAnswered = true;
      if (version !== query.since) {
        await client.take({ version, requests: announcements, takenNs: String(nanosOf(nowMs())) });
        void this.report();
        return 0;
      }
      return isFirst || elapsedMs() - askedAtMs >= requestPauseMs ? 0 : requestPauseMs;
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
    const { version, takenNs } = snapshot.requests;
    this.#watch.look(parts.nowMs(), parts.elapsedMs());
    const { steps } = this.#watch;
    const clock = steps === this.#steps ? this.#clock.offset(parts.nowMs()) : null;
    const report = { machine: snapshot.ownAddress ?? "", version, taken_ns: takenNs };
    const text = JSON.stringify({ ...report, states: snapshot.states });
    const isSet = steps !== this.#steps && this.#sentClock !== null;
    const isNew = isSet || text !== this.#sent || saysMore(clock, this.#sentClock);
    const isKnown = version !== 0 || this.#isAnswered;
    if (!isKnown || !isNew || parts.elapsedMs() < this.#reportAtMs || this.#isSending) {
      return;
    }
    this.#isSending = true;
    try {
      const headers = { "content-type": "application/json" };
      const answerMs = reportAnswerMs;
      const states = snapshot.states.map((state) => ({ ...state, clock }));
      const body = JSON.stringify({ ...report, states });
      const askedMs = parts.nowMs();
      const order = { method: "PUT", headers, body, answerMs } as const;
      const answer = await this.#gateway.request("/api/announcement-report", order);
      const { output, success } = v.safeParse(reportAnswer, await answer.json().catch(() => null));
      const timeMs = success ? output.time_ms : undefined;
      this.#clock.take({ askedMs, answeredMs: parts.nowMs(), timeMs, steps });
      this.#steps = steps;
      this.#sent = text;
      this.#sentClock = clock;
    } catch (error) {
      this.#reportAtMs = parts.elapsedMs() + reportPauseMs;
      parts.log.warn("Cannot report to the gateway; trying again", { error });
    } finally {
      this.#isSending = false;
    }
  }
}
