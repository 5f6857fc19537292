/**
 * The agent's side of the agent API: registers, reports its state and active configuration, and receives orders.
 *
 * One request at a time. The gateway's orders to stop go straight to the senders (send-inhibit.ts), the rest to the
 * main thread. Without the gateway the agent continues with its last orders.
 */
import * as v from "valibot";
import { isFailure } from "../../../../lib/base/failure/failure.ts";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import { type AgentInstance, agentInstanceSchema } from "../../../../lib/measuring/probing/agent-config.ts";
import { blocklistAnswerSchema, crowdAnswerSchema } from "../../../../lib/measuring/probing/agent-report.ts";
import { GatewayClock } from "../../../../lib/measuring/probing/gateway-clock.ts";
import { type GatewayCounter, gatewayCounterNames } from "../agent-counters.ts";
import { CrowdBoard } from "../consume/crowd-board.ts";
import { Counters } from "../engine/counters.ts";
import { type InhibitSwitch, SendInhibit } from "../engine/send-inhibit.ts";
import { gatewayRefusedMs } from "../limits.ts";
import { backOffMs } from "./back-off.ts";
import { keepBlocklist, keptBlocklistVersion } from "./blocklist-file.ts";
import { Credentials } from "./credentials.ts";
import { unpackCrowd } from "./crowd-text.ts";
import { GatewayApi, type GatewayRequest } from "./gateway-api.ts";
import type { GatewayStart, GatewayTask, GatewayUpdate } from "./gateway-messages.ts";
import { answerSchema, type GatewayOrders, keepOrders, ordersOf, readOrders } from "./orders.ts";
import { ProgressQueue } from "./progress-queue.ts";
import { RecordingUpload } from "./recording-upload.ts";

type State = GatewayTask & { readonly kind: "state" };

const anything = v.unknown();
const registered = v.object({ agent_key: v.optional(v.string()) });
const pollMs = 20;

export class GatewayClient {
  readonly #start: GatewayStart;
  readonly #api: GatewayApi;
  readonly #credentials: Credentials;
  readonly #counters: Counters<GatewayCounter>;
  readonly #sendInhibit: InhibitSwitch<"killed" | "paused">;
  readonly #stop: Int32Array;
  readonly #queue = new ProgressQueue();
  readonly #clock = new GatewayClock();
  readonly #onFailure: (text: string) => void;
  readonly #say: (update: GatewayUpdate) => void;
  #state: State | null = null;
  #isKnown = false;
  #postedConfig = "";
  #orders: string;
  #blocklistVersion: string | null;
  #pendingPrefixes = "";
  readonly #crowd: CrowdBoard;
  #crowdVersion = "";
  readonly #recordings: RecordingUpload;

  /**
   * Throws Error when the state folder's credentials cannot be read. A kill or a pause received by an earlier
   * process applies from here on.
   */
  constructor(start: GatewayStart, onFailure: (text: string) => void, say: (update: GatewayUpdate) => void) {
    const { gateway, stateDir } = start;
    [this.#start, this.#api] = [start, new GatewayApi(gateway.url)];
    this.#credentials = new Credentials(gateway, stateDir);
    this.#counters = new Counters(gatewayCounterNames, start.counters);
    this.#counters.set("gateway_away", 1);
    this.#sendInhibit = new SendInhibit(start.sendInhibit).own("killed", "paused");
    this.#stop = new Int32Array(start.stop);
    this.#crowd = new CrowdBoard(start.crowd);
    const kept = readOrders(stateDir);
    this.#holdAs(kept);
    this.#orders = JSON.stringify(kept);
    this.#blocklistVersion = keptBlocklistVersion(stateDir);
    [this.#onFailure, this.#say] = [onFailure, say];
    const own = (path: string) => this.#own("POST", path);
    const parts = { api: this.#api, counters: this.#counters, own, onFailure };
    this.#recordings = new RecordingUpload({ ...start, ...parts });
  }

  hear(task: GatewayTask): void {
    if (task.kind === "state") {
      this.#state = task;
    } else {
      this.#queue.add(task.reports);
    }
  }

  async run(): Promise<void> {
    let failures = 0;
    while (!this.#isStopped()) {
      const startedAtMs = performance.now();
      try {
        await this.#round();
        failures = 0;
      } catch (error) {
        failures++;
        this.#note(error);
        await this.#sleep(startedAtMs + this.#waitMs(error, failures));
        continue;
      }
      await this.#sleep(startedAtMs + this.#start.gateway.reportIntervalMs);
    }
    await this.#sayGoodbye();
  }

  /** Sends everything that is due; throws at the first failure, and the next round starts with it again. */
  async #round(): Promise<void> {
    if (this.#state === null) {
      return;
    }
    if (!this.#isKnown) {
      await this.#introduce();
      this.#isKnown = true;
      this.#postedConfig = "";
    }
    await this.#postConfig(this.#state.instances);
    await this.#postHealth(this.#state);
    this.#counters.set("gateway_away", 0);
    await this.#postProgress();
    this.#recordings.begin();
  }

  /** Registering again changes nothing; it detects another host with the same id. */
  async #introduce(): Promise<void> {
    const body = { id: this.#start.agentId, secret: this.#credentials.secret };
    const key = this.#credentials.registrationKey;
    const path = "/agent-api/agent/register";
    const { agent_key: agentKey } = await this.#ask({ method: "POST", path, key, body, answer: registered });
    if (agentKey !== undefined && this.#credentials.agentKey === null) {
      this.#credentials.keep(agentKey);
    }
  }

  async #postConfig(instances: readonly AgentInstance[]): Promise<void> {
    const text = JSON.stringify(instances);
    if (text === this.#postedConfig) {
      return;
    }
    const body = instances.map((instance) => v.parse(agentInstanceSchema, instance));
    await this.#ask({ ...this.#own("POST", "/config"), body, answer: anything });
    this.#counters.add("gateway_config_posts", 1);
    this.#postedConfig = text;
  }

  async #postHealth({ health }: State): Promise<void> {
    const { steps } = health.details?.clock ?? { steps: 0 };
    const details = {
      ...health.details,
      report_interval_ms: this.#start.gateway.reportIntervalMs,
      blocklist_version: this.#blocklistVersion,
      clock: { steps, offset_ms: this.#api.clockOffsetMs, within_ms: null, ...this.#clock.offset() },
    };
    const askedMs = Date.now();
    const body = { ...health, last_check: new Date(askedMs).toISOString(), details };
    const answer = await this.#ask({ ...this.#own("POST", "/health"), body, answer: answerSchema });
    this.#clock.take({ askedMs, answeredMs: Date.now(), timeMs: answer.time_ms, steps });
    const { offset_ms: offsetMs } = this.#clock.offset() ?? { offset_ms: this.#api.clockOffsetMs };
    this.#counters.set("gateway_clock_offset_ms", Math.round(offsetMs ?? 0));
    this.#counters.add("gateway_health_reports", 1);
    this.#obey(answer);
    this.#hearOfGrants(answer.pending_prefixes);
    await this.#hearOfCrowd(answer.crowd);
    if (answer.blocklist_version !== this.#blocklistVersion) {
      await this.#fetchBlocklist();
    }
  }

  #obey(answer: v.InferOutput<typeof answerSchema>): void {
    this.#holdAs(answer);
    const orders = ordersOf(answer);
    const text = JSON.stringify(orders);
    if (text === this.#orders) {
      return;
    }
    this.#orders = text;
    this.#counters.add("gateway_orders", 1);
    this.#say({ kind: "orders", orders });
    this.#keep(() => keepOrders(this.#start.stateDir, orders));
  }

  #holdAs({ killed, paused }: Pick<GatewayOrders, "killed" | "paused">): void {
    this.#sendInhibit.set("killed", killed);
    this.#sendInhibit.set("paused", paused);
  }

  /** Reported once for each change. */
  #hearOfGrants(pending: readonly string[]): void {
    const prefixes = pending.join(", ");
    if (prefixes !== "" && prefixes !== this.#pendingPrefixes) {
      const what = `the gateway's operator has not granted this agent the source prefixes ${prefixes}`;
      this.#onFailure(
        `${what}: no user's probes leave from them until an operator grants them (granted_prefixes)`,
      );
    }
    this.#pendingPrefixes = prefixes;
  }

  /** Each response has its age: an unchanged table counts as refreshed. */
  async #hearOfCrowd(told: v.InferOutput<typeof answerSchema>["crowd"]): Promise<void> {
    if (told === null) {
      return;
    }
    if (told.version === this.#crowdVersion) {
      this.#crowd.confirm(told.at_ms);
      return;
    }
    const answer = await this.#ask({ ...this.#own("GET", "/crowd"), answer: crowdAnswerSchema });
    this.#crowd.write(unpackCrowd(answer.agents), answer.at_ms);
    this.#crowdVersion = answer.version;
  }

  async #fetchBlocklist(): Promise<void> {
    const answer = await this.#ask({ ...this.#own("GET", "/blocklist"), answer: blocklistAnswerSchema });
    keepBlocklist(this.#start.stateDir, answer);
    this.#counters.add("gateway_blocklist_fetches", 1);
    this.#blocklistVersion = answer.version;
    this.#say({ kind: "blocklist" });
  }

  async #postProgress(): Promise<void> {
    await this.#queue.flush(async (body) => {
      await this.#ask({ ...this.#own("POST", "/measurements/status"), body, answer: anything });
      this.#counters.add("gateway_progress_reports", body.length);
    });
    this.#counters.set("gateway_progress_forgotten", this.#queue.forgotten);
  }

  /** Reports the final figures, and that no more will be sent here. Tried once. */
  async #sayGoodbye(): Promise<void> {
    if (this.#state === null || !this.#isKnown) {
      return;
    }
    try {
      await this.#postProgress();
      const health = { ...this.#state.health, healthy: false, message: "The agent was stopped" };
      await this.#postHealth({ ...this.#state, health });
    } catch (error) {
      this.#note(error);
    }
  }

  async #ask<Schema extends v.GenericSchema>(
    request: GatewayRequest<Schema>,
  ): Promise<v.InferOutput<Schema>> {
    this.#counters.add("gateway_requests", 1);
    return await this.#api.ask(request);
  }

  #own(method: "GET" | "POST", path: string) {
    const key = this.#credentials.registrationKey;
    return { method, path: `/agent-api/agent/${this.#name}${path}`, key } as const;
  }

  get #name(): string {
    return encodeURIComponent(this.#start.agentId);
  }

  #note(error: unknown): void {
    const code = isFailure(error, "agentGateway") ? error.code : null;
    this.#counters.add(
      code === "refused" || code === "conflict" ? "gateway_refusals" : "gateway_failures",
      1,
    );
    this.#counters.set("gateway_away", 1);
    // The gateway may have been restored from an older state, or the agent removed: register again.
    this.#isKnown &&= code === "unreachable";
    const text = systemReason(error);
    this.#onFailure(code === null ? text : `${text}${advice[code] ?? ""}`);
  }

  #waitMs(error: unknown, failures: number): number {
    const waitMs = backOffMs(failures, Math.random());
    const isRefused = isFailure(error, "agentGateway", "refused");
    return isRefused ? Math.max(gatewayRefusedMs, waitMs) : waitMs;
  }

  async #sleep(untilMs: number): Promise<void> {
    // The first report is due once there is something to report.
    const isIdle = this.#state === null;
    while (!this.#isStopped() && performance.now() < untilMs && !(isIdle && this.#state !== null)) {
      await Bun.sleep(Math.min(pollMs, Math.max(1, untilMs - performance.now())));
    }
  }

  #keep(write: () => void): void {
    try {
      write();
    } catch (error) {
      const why = systemReason(error);
      this.#onFailure(`Cannot keep what the gateway wants for the next start: ${why}`);
    }
  }

  #isStopped(): boolean {
    return Atomics.load(this.#stop, 0) !== 0;
  }
}

const advice: Readonly<Record<string, string>> = {
  refused: " (the key is wrong or revoked: ask the gateway's operator; see: gateway.agent_key)",
  conflict: " (another host is registered under this id: choose another agent.id, or use its agent_secret)",
};
