/** Against a server on loopback whose streams break. */
import { expect, test } from "bun:test";
import { readEvents, type ServerEvent } from "./event-stream.ts";
import { Gateway } from "./gateway.ts";
import { fixedToken } from "./token-source.ts";

/** Serves each answer in turn, and notes behind which event it was asked for. */
function serving(answers: readonly (() => Response)[]) {
  const lastIds: (string | null)[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      lastIds.push(request.headers.get("last-event-id"));
      return answers[lastIds.length - 1]?.() ?? new Response(null, { status: 404 });
    },
  });
  const address = `http://127.0.0.1:${server.port}`;
  return {
    server,
    lastIds,
    gateway: new Gateway({ address, tokens: fixedToken("t"), userAgent: "", retryDelaysMs: [] }),
  };
}

function stream(...parts: string[]): () => Response {
  return () => new Response(parts.join(""), { headers: { "content-type": "text/event-stream" } });
}

async function collected(
  gateway: Gateway,
  count: number,
): Promise<{ events: ServerEvent[]; breaks: string[] }> {
  const events: ServerEvent[] = [];
  const breaks: string[] = [];
  const order = {
    signal: new AbortController().signal,
    onBreak: (reason: string) => breaks.push(reason),
  };
  for await (const event of readEvents(gateway, "/events", order)) {
    events.push(event);
    if (events.length >= count) {
      break;
    }
  }
  return { events, breaks };
}

test("a stream that breaks is resumed after the last event", async () => {
  const { server, lastIds, gateway } = serving([
    stream(
      "retry: 1\n\n",
      ": alive\n\n",
      "id: 1\nevent: reply\ndata: a\n\n",
      "id: 2\ndata: b\ndata: c\n\n",
      "id: 3\nda",
    ),
    () => Response.json({ code: "busy" }, { status: 503 }),
    stream("id: 3\nevent: end\ndata: {}\n\n"),
  ]);
  const { events, breaks } = await collected(gateway, 3);
  await server.stop(true);
  expect(events).toEqual([
    { name: "reply", data: "a" },
    { name: "message", data: "b\nc" },
    { name: "end", data: "{}" },
  ]);
  expect(lastIds).toEqual([null, "2", "2"]);
  expect(breaks).toHaveLength(2);
});

test("a refusal ends it", async () => {
  const { server, lastIds, gateway } = serving([stream("retry: 1\n\nid: 7\ndata: a\n\n")]);
  await expect(collected(gateway, 2)).rejects.toMatchObject({ status: 404 });
  await server.stop(true);
  expect(lastIds).toEqual([null, "7"]);
});

test("an event without end is refused", async () => {
  const { server, gateway } = serving([stream(`retry: 1\n\ndata: ${"x".repeat(2_000_000)}`)]);
  await expect(collected(gateway, 1)).rejects.toMatchObject({ code: "badAnswer" });
  await server.stop(true);
});
