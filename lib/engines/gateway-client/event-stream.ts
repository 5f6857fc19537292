/**
 * Server-sent events of a gateway, for as long as they come: a stream that breaks is resumed after the last event seen
 * (`Last-Event-ID`), so nothing is lost and nothing comes twice.
 */
import { createParser, type EventSourceMessage, type EventSourceParser } from "eventsource-parser";
import { clientSide, GatewayError } from "./gateway-error.ts";
import { eventCharsMax, eventSilenceMs, streamRetryMs, streamTriesMax } from "./limits.ts";
import { pause } from "./pause.ts";
import type { Transport } from "./transport.ts";

export interface ServerEvent {
  /** "message" when the gateway gives no name. */
  readonly name: string;
  readonly data: string;
}

export interface StreamOrder {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly signal: AbortSignal;
  /** Called when the stream has broken and will be resumed after a wait. */
  readonly onBreak: (reason: string) => void;
}

interface StreamPosition {
  lastId: string;
  retryMs: number;
}

/**
 * Ends when its reader stops or the signal aborts. Rejects with GatewayError when the gateway refuses, cannot begin, or
 * remains unavailable.
 */
export async function* readEvents(
  gateway: Transport,
  path: string,
  order: StreamOrder,
): AsyncGenerator<ServerEvent, void, undefined> {
  const place: StreamPosition = { lastId: "", retryMs: streamRetryMs };
  let tries = 0;
  let hasBegun = false;
  while (!order.signal.aborted) {
    try {
      for await (const event of oneStream(gateway, path, order, place)) {
        tries = 0;
        hasBegun = true;
        yield event;
      }
      order.onBreak("the gateway has ended the stream");
    } catch (error) {
      tries++;
      if (order.signal.aborted) {
        return;
      }
      if (!(error instanceof GatewayError) || !mayPass(error) || !hasBegun || tries >= streamTriesMax) {
        throw error;
      }
      order.onBreak(error.message);
    }
    await pause(place.retryMs, order.signal);
  }
}

/** Reads until the stream breaks; keeps the position up to date. */
async function* oneStream(
  gateway: Transport,
  path: string,
  { query, signal }: StreamOrder,
  place: StreamPosition,
): AsyncGenerator<ServerEvent> {
  const headers = {
    accept: "text/event-stream",
    ...(place.lastId === "" ? {} : { "last-event-id": place.lastId }),
  };
  const response = await gateway.request(path, {
    ...(query === undefined ? {} : { query }),
    headers,
    signal,
  });
  let events: EventSourceMessage[] = [];
  const parser = createParser({
    maxBufferSize: eventCharsMax,
    onEvent: (event) => events.push(event),
    onRetry: (retryMs) => {
      place.retryMs = Math.min(retryMs, eventSilenceMs);
    },
  });
  for await (const text of textOf(response)) {
    feed(parser, text);
    for (const { id, event = "message", data } of events) {
      place.lastId = id ?? place.lastId;
      yield { name: event, data };
    }
    events = [];
  }
}

function feed(parser: EventSourceParser, text: string): void {
  try {
    parser.feed(text);
  } catch (error) {
    throw clientSide("badAnswer", "The gateway sends events that cannot be read", error);
  }
}

/** A connection that is silent for longer than the gateway's heartbeat interval allows is dead. */
async function* textOf({ body }: Response): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) {
    return;
  }
  try {
    for (;;) {
      const next = await beforeSilence(reader.read());
      if (next.done) {
        return;
      }
      yield next.value;
    }
  } catch (error) {
    throw error instanceof GatewayError ? error : clientSide("unreachable", "The stream was cut off", error);
  } finally {
    void reader.cancel().catch(() => {});
  }
}

async function beforeSilence<Result>(read: Promise<Result>): Promise<Result> {
  const error = clientSide("timeout", `The stream has been silent for ${eventSilenceMs / 1000} s`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(error), eventSilenceMs);
  });
  try {
    return await Promise.race([read, silence]);
  } finally {
    clearTimeout(timer);
  }
}

function mayPass({ code, status }: GatewayError): boolean {
  return (
    code === "unreachable" || code === "timeout" || (status !== null && (status >= 500 || status === 429))
  );
}
