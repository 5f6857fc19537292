/** A probing gateway from a program, on Node, Bun or in a page: submit a measurement, wait for it, read its results. */
import { answerBytes, answerJson } from "../gateway-client/answer-bytes.ts";
import { readEvents } from "../gateway-client/event-stream.ts";
import { Gateway } from "../gateway-client/gateway.ts";
import { clientSide } from "../gateway-client/gateway-error.ts";
import { submissionAnswerMs } from "../gateway-client/limits.ts";
import { fixedToken, type TokenSource } from "../gateway-client/token-source.ts";
import type { Transport } from "../gateway-client/transport.ts";
import type {
  Agent,
  Cancelled,
  Limits,
  Lookup,
  Measurement,
  MeasurementEvent,
  MeasurementStatus,
  ResultRows,
  ResultView,
  Submitted,
} from "./answers.ts";
import type { Answer, CallOrder, Method, PathWith } from "./calls.ts";
import { nextPageQuery } from "./link.ts";
import { type Probe, type ProbeShape, probeLines } from "./probes.ts";
import { filterQuery, jsonLines, type ResultFilter } from "./result-rows.ts";
import { type Waited, type WaitOptions, waitUntil } from "./wait.ts";

export interface VantageOptions {
  /** Address of the gateway: `https://gateway.example`. */
  readonly gateway: string;
  /** An API token, the access token of a login, or what renews one. Without it: what is public. */
  readonly token?: string | TokenSource;
  /** The name of your program for the gateway's operator, as `survey/1.0`; a page in a browser has its own. */
  readonly userAgent?: string;
}

export interface MeasureOrder {
  /** Ids of agents, `agent:192.0.2.1` with a source, or whom to choose: `3@tag:eu`, `as:64500`. */
  readonly agents: string | readonly string[];
  /** Probes, or lines of them. */
  readonly probes: readonly Probe[] | string;
  /** A name for this submission: under it the gateway takes the same probes once. Default a new one. */
  readonly idempotencyKey?: string;
  /** What you call it, to find it again: at most 100 characters, 16 tags of 40, a note of 1,000. */
  readonly name?: string;
  readonly tags?: readonly string[];
  readonly note?: string;
  /** What the probes look like. */
  readonly shape?: ProbeShape;
  /** Other parameters of `POST /api/probes`. */
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly signal?: AbortSignal;
}

export interface MeasurementFilter {
  /** With commas: queued, running, complete, cancelled, failed, expired. */
  readonly status?: string;
  readonly agent?: string;
  /** An address or a prefix that it has probes to. */
  readonly target?: string;
  readonly kind?: "trace" | "ping";
  /** A part of its name or note. */
  readonly name?: string;
  /** Tags that it has, with commas. */
  readonly tag?: string;
  /** Id of the campaign or discovery that it is a run of. */
  readonly campaign?: string;
  /** The newest run of a campaign stands for all. */
  readonly fold?: boolean;
  readonly since?: string;
  readonly until?: string;
  readonly sort?: "updated" | "started";
  readonly reverse?: boolean;
  /** Rows per requested page; default the gateway's. */
  readonly limit?: number;
}

export interface Labels {
  readonly name?: string | null;
  readonly tags?: readonly string[];
  readonly note?: string | null;
}

interface Interruptible {
  readonly signal?: AbortSignal;
}

const ended: ReadonlySet<string> = new Set(["complete", "cancelled", "failed", "expired"]);

/** All of it rejects with GatewayError, whose `code` and `status` are those of the gateway's problem (RFC 9457). */
export class Vantage {
  readonly #gateway: Transport;

  constructor(options: VantageOptions | Transport) {
    this.#gateway = "request" in options ? options : gatewayOf(options);
  }

  /** Any route by its method and path: `call("get", "/api/campaigns/{id}", { path: { id } })`. */
  async call<M extends Method, P extends PathWith<M>>(
    method: M,
    path: P,
    order: CallOrder<M, P>,
  ): Promise<Answer<M, P>> {
    const given: GivenParts = order;
    const answer = await this.#json(filled(path, Object(given.path ?? {})), {
      method: method.toUpperCase() as Uppercase<M>,
      ...(given.query === undefined ? {} : { query: given.query }),
      ...(given.body === undefined
        ? {}
        : { body: JSON.stringify(given.body), headers: { "content-type": "application/json" } }),
      ...signalOf(given),
    });
    return answer as Answer<M, P>;
  }

  async limits(options: Interruptible = {}): Promise<Limits> {
    return (await this.#json("/api/limits", signalOf(options))) as Limits;
  }

  /** An address of a name, by the gateway and its rules; for tokens that may measure. */
  async lookup(name: string, options: Interruptible = {}): Promise<Lookup> {
    const path = `/api/lookup?${new URLSearchParams({ name })}`;
    return (await this.#json(path, signalOf(options))) as Lookup;
  }

  /** All agents, without a token too. */
  async agents(options: Interruptible = {}): Promise<Agent[]> {
    return (await this.#json("/api/agents", { anonymous: true, ...signalOf(options) })) as Agent[];
  }

  /** Submits a measurement. A request that breaks off is made again; nothing is submitted twice. */
  async measure(order: MeasureOrder): Promise<Submitted> {
    const { agents, probes, idempotencyKey = crypto.randomUUID(), query = {}, name, tags, note } = order;
    const { flowLabel, ...shape } = order.shape ?? {};
    const labels = {
      ...(name === undefined ? {} : { name }),
      ...(tags === undefined ? {} : { tags: tags.join() }),
      ...(note === undefined ? {} : { note }),
    };
    const answer = await this.#json("/api/probes", {
      method: "POST",
      query: {
        ...{ ...query, ...shape, ...(flowLabel === undefined ? {} : { flow_label: flowLabel }), ...labels },
        agents: [agents].flat().join(),
      },
      headers: { "content-type": "text/csv", "idempotency-key": idempotencyKey },
      body: typeof probes === "string" ? probes : probeLines(probes),
      repeatable: true,
      answerMs: submissionAnswerMs,
      ...signalOf(order),
    });
    return answer as Submitted;
  }

  /** Changes its name, tags or note: what is left out stays, null removes. */
  async label(id: string, labels: Labels, options: Interruptible = {}): Promise<Measurement> {
    const answer = await this.#json(`/api/measurements/${encodeURIComponent(id)}`, {
      method: "PATCH",
      repeatable: true,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(labels),
      ...signalOf(options),
    });
    return answer as Measurement;
  }

  async status(id: string, options: Interruptible = {}): Promise<MeasurementStatus> {
    return (await this.#json(pathOf(id, "status"), signalOf(options))) as MeasurementStatus;
  }

  /** Until it has ended, or there is enough of it. */
  wait(id: string, options: WaitOptions<MeasurementStatus> = {}): Promise<Waited<MeasurementStatus>> {
    const { signal } = options;
    return waitUntil(() => this.status(id, signal === undefined ? {} : { signal }), progressOf, options);
  }

  /** Your own, page by page as they are taken. */
  async *measurements(
    filter: MeasurementFilter = {},
    options: Interruptible = {},
  ): AsyncGenerator<Measurement, void, undefined> {
    const path = "/api/measurements";
    let query: Readonly<Record<string, string | number | boolean>> | null = { ...filter };
    while (query !== null) {
      const response = await this.#gateway.request(path, { query, ...signalOf(options) });
      yield* (await answerJson(response, `${this.#gateway.address}${path}`)) as Measurement[];
      query = nextPageQuery(response.headers.get("link"), this.#gateway.address);
    }
  }

  /** The rows of a view, one after another as they arrive; an answer that is cut off rejects. */
  async *results<View extends ResultView>(
    id: string,
    view: View,
    filter: ResultFilter = {},
    options: Interruptible = {},
  ): AsyncGenerator<ResultRows[View], void, undefined> {
    yield* jsonLines<ResultRows[View]>(this.download(id, view, "ndjson", filter, options));
  }

  /** The bytes of a view in a format: `csv`, `parquet`, `arrow`, `warts` and others. */
  async *download(
    id: string,
    view: ResultView,
    format: string,
    filter: ResultFilter = {},
    options: Interruptible = {},
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const query = { ...filterQuery(filter), format };
    const path = pathOf(id, view, filter.of);
    const response = await this.#gateway.request(path, { query, ...signalOf(options) });
    yield* answerBytes(response);
  }

  /** From its first event to its end. A broken stream resumes after the last event; `onBreak` receives the reason. */
  async *events(
    id: string,
    { signal = new AbortController().signal, onBreak = () => {} }: EventOptions = {},
  ): AsyncGenerator<MeasurementEvent, void, undefined> {
    for await (const { name, data } of readEvents(this.#gateway, pathOf(id, "events"), { signal, onBreak })) {
      if (name === "reply") {
        yield { kind: name, reply: eventJson(data) as ResultRows["replies"] };
      } else if (name === "progress" || name === "end") {
        yield { kind: name, status: eventJson(data) as MeasurementStatus };
      }
      if (name === "end") {
        return;
      }
    }
  }

  /** Stops what has not been sent. `finished`: because all that was wanted is known, so that it counts as complete. */
  async cancel(id: string, { finished = false, ...options }: CancelOptions = {}): Promise<Cancelled> {
    const answer = await this.#json(pathOf(id, "cancel"), {
      method: "POST",
      repeatable: true,
      ...(finished ? { query: { reason: "finished" } } : {}),
      ...signalOf(options),
    });
    return answer as Cancelled;
  }

  async #json(path: string, ask: Parameters<Transport["request"]>[1]): Promise<unknown> {
    return answerJson(await this.#gateway.request(path, ask), `${this.#gateway.address}${path}`);
  }
}

interface EventOptions extends Interruptible {
  readonly onBreak?: (reason: string) => void;
}

interface CancelOptions extends Interruptible {
  readonly finished?: boolean;
}

/** What CallOrder may have. */
interface GivenParts extends Interruptible {
  readonly path?: unknown;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
}

function gatewayOf({ gateway, token, userAgent = "vantage-sdk" }: VantageOptions): Gateway {
  const isPage = "document" in globalThis || "importScripts" in globalThis;
  return new Gateway({
    address: gateway.replace(/\/+$/, ""),
    tokens: typeof token === "string" ? fixedToken(token) : (token ?? null),
    userAgent: isPage ? null : userAgent,
  });
}

function progressOf({ status, total_received_replies, total_expected_probes }: MeasurementStatus) {
  return {
    isEnded: ended.has(status),
    replies: total_received_replies,
    expectedProbes: total_expected_probes,
  };
}

function pathOf(id: string, part: string, kind: "measurement" | "campaign" = "measurement"): string {
  return `/api/${kind}s/${encodeURIComponent(id)}/${part}`;
}

function filled(path: string, names: object): string {
  const values = new Map(Object.entries(names));
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
}

function signalOf({ signal }: Interruptible): Interruptible {
  return signal === undefined ? {} : { signal };
}

function eventJson(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw clientSide("badAnswer", "The gateway sends an event that is not JSON", cause);
  }
}
