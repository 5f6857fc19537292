/** Passes requests on to a gateway; each stream of events is cut behind so many replies, the last of them in half. */
interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  /** Streams of events that were asked for, by the place from which. */
  readonly places: readonly (string | null)[];
}

export function cuttingProxy(gateway: string, repliesMax: number): CuttingProxy {
  const places: (string | null)[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const answer = await fetch(`${gateway}${pathname}${search}`, {
        headers: request.headers,
        signal: request.signal,
      });
      if (!pathname.endsWith("/events")) {
        return answer;
      }
      places.push(request.headers.get("last-event-id"));
      return new Response(cut(answer, repliesMax), { headers: { "content-type": "text/event-stream" } });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, places, [Symbol.asyncDispose]: () => server.stop(true) };
}

async function* cut(answer: Response, repliesMax: number): AsyncGenerator<string, void> {
  let text = "";
  let sent = 0;
  for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    const ends = [...text.matchAll(/event: reply\n/g)].map(({ index }) => index);
    const end = ends[repliesMax];
    if (end !== undefined) {
      yield text.slice(sent, end + 40);
      return;
    }
    yield text.slice(sent);
    sent = text.length;
  }
}
