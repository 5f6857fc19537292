/** Reads server-sent events as a client does. */
import { createParser, type EventSourceMessage } from "eventsource-parser";

/** Events until `isEnough` of those so far, or the end of the stream; then the reader goes away. */
export async function readEvents(
  response: Response,
  isEnough: (events: readonly EventSourceMessage[]) => boolean = () => false,
): Promise<EventSourceMessage[]> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  if (response.status !== 200 || response.body === null) {
    throw new Error(`No events: ${response.status} ${await response.text()}`);
  }
  const decoder = new TextDecoder();
  for await (const chunk of response.body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (isEnough(events)) {
      break;
    }
  }
  return events;
}

export function named(events: readonly EventSourceMessage[], name: string): Record<string, unknown>[] {
  return events.filter(({ event }) => event === name).map(({ data }) => JSON.parse(data));
}

export function ttlsOf(events: readonly EventSourceMessage[]): unknown[] {
  return named(events, "reply").map(({ probe_ttl }) => probe_ttl);
}
