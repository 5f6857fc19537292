/** Tests with a server on loopback that answers as gateways, proxies and other servers do. */
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import * as v from "valibot";
import { Gateway } from "./gateway.ts";
import { GatewayError } from "./gateway-error.ts";
import { fixedToken, type TokenSource } from "./token-source.ts";

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | null;
  readonly body: string;
}

const seen: Seen[] = [];
/** What is answered, in turn; the last one again and again. */
let answers: (() => Response)[] = [];

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { pathname, search } = new URL(request.url);
    seen.push({
      method: request.method,
      path: pathname + search,
      authorization: request.headers.get("authorization"),
      body: await request.text(),
    });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return answer?.() ?? new Response("{}");
  },
});
afterAll(() => server.stop(true));
beforeEach(() => {
  seen.length = 0;
  answers = [];
});

const address = `http://127.0.0.1:${server.port}`;
const anything = v.looseObject({});

function gateway(tokens: TokenSource | null = fixedToken("t-1")): Gateway {
  return new Gateway({ address, tokens, userAgent: "vantage/test", retryDelaysMs: [1, 1] });
}

function problem(status: number, members: object, headers: Record<string, string> = {}): () => Response {
  return () => Response.json(members, { status, headers });
}

async function failure(promise: Promise<unknown>): Promise<GatewayError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof GatewayError) {
      return error;
    }
    throw error;
  }
  throw new Error("It did not fail");
}

test("a question carries the token, and its parameters in place", async () => {
  await gateway().read("/api/x", anything, { query: { a: "b c&d", none: undefined, n: 3 } });
  expect(seen).toEqual([
    { method: "GET", path: "/api/x?a=b+c%26d&n=3", authorization: "Bearer t-1", body: "" },
  ]);
});

test("each request of a command has an id of its own; pages send none, which their origin may not allow", async () => {
  const ids: (string | null)[] = [];
  const answer = (_url: string, { headers }: { headers?: unknown }) => {
    ids.push(new Headers(headers as Record<string, string>).get("x-request-id"));
    return Promise.resolve(Response.json({}));
  };
  const command = new Gateway({ address, tokens: null, userAgent: "vantage/test", fetch: answer });
  const page = new Gateway({ address, tokens: null, userAgent: null, fetch: answer });
  await command.read("/api/x", anything, { anonymous: true });
  await command.read("/api/x", anything, { anonymous: true });
  await page.read("/api/x", anything, { anonymous: true });
  expect(ids).toEqual([
    expect.stringMatching(/^[0-9a-f]{8}-1$/),
    expect.stringMatching(/^[0-9a-f]{8}-2$/),
    null,
  ]);
});

test("a public question carries none, logged in or not", async () => {
  await gateway().read("/api/x", anything, { anonymous: true });
  await gateway(null).read("/api/x", anything, { anonymous: true });
  expect(seen.map(({ authorization }) => authorization)).toEqual([null, null]);
});

test("without a login nothing is sent", async () => {
  expect(await failure(gateway(null).request("/api/x"))).toMatchObject({ code: "notLoggedIn", status: null });
  expect(seen).toEqual([]);
});

test("a request that waits anyway is tried for longer, and says so once; any other gives up", async () => {
  const busy = problem(503, { code: "starting" });
  answers = Array.from({ length: 8 }, () => busy);
  expect(await failure(gateway().request("/api/x"))).toMatchObject({ code: "starting" });
  expect(seen).toHaveLength(3);
  const breaks: string[] = [];
  answers = [...Array.from({ length: 8 }, () => busy), () => Response.json({ ok: 1 })];
  const onBreak = (reason: string) => breaks.push(reason);
  expect(await gateway().read("/api/x", anything, { patientMs: 240_000, onBreak })).toEqual({ ok: 1 });
  expect(breaks).toHaveLength(1);
  answers = [busy];
  const post = { method: "POST", patientMs: 240_000 } as const;
  expect(await failure(gateway().request("/api/x", post))).toMatchObject({ code: "starting" });
});

describe("what may be repeated is repeated", () => {
  const busy = problem(503, { code: "busy", message: "Busy" });

  test("a question, until it is answered", async () => {
    answers = [busy, busy, () => Response.json({ ok: 1 })];
    expect(await gateway().read("/api/x", anything)).toEqual({ ok: 1 });
  });

  test("a question, so many times", async () => {
    answers = [busy];
    expect(await failure(gateway().request("/api/x"))).toMatchObject({ status: 503, code: "busy" });
    expect(seen).toHaveLength(3);
  });

  test("a submission only where that does no harm, its body made again", async () => {
    answers = [busy, () => Response.json({})];
    let streams = 0;
    const body = () => {
      streams++;
      return new Blob([`lines ${streams}`]).stream();
    };
    await gateway().request("/api/x", { method: "POST", body, repeatable: true });
    expect(seen.map((one) => one.body)).toEqual(["lines 1", "lines 2"]);
    answers = [busy];
    seen.length = 0;
    await failure(gateway().request("/api/x", { method: "POST", body: "{}" }));
    expect(seen).toHaveLength(1);
  });

  test("after a limit, when the gateway says how long it lasts", async () => {
    answers = [problem(429, { code: "too_fast" }, { "retry-after": "0" }), () => Response.json({ ok: 1 })];
    expect(await gateway().read("/api/x", anything)).toEqual({ ok: 1 });
    answers = [problem(429, { code: "used_up" })];
    seen.length = 0;
    await failure(gateway().request("/api/x"));
    expect(seen).toHaveLength(1);
  });

  test("not when the gateway asks for a long wait, nor after a refusal", async () => {
    answers = [problem(503, { code: "full" }, { "retry-after": "3600" })];
    expect(await failure(gateway().request("/api/x"))).toMatchObject({ retryAfterMs: 3_600_000 });
    answers = [problem(404, { code: "unknown" })];
    await failure(gateway().request("/api/x"));
    expect(seen).toHaveLength(2);
  });
});

describe("a refused token", () => {
  const refused = problem(401, { code: "expired_token", message: "Invalid token: expired" });

  test("is renewed once", async () => {
    answers = [refused, () => Response.json({})];
    const asked: string[] = [];
    const renewed = async (old: string) => {
      asked.push(old);
      return "t-2";
    };
    await gateway({ token: async () => "t-1", renewed }).request("/api/x");
    expect(asked).toEqual(["t-1"]);
    expect(seen.map(({ authorization }) => authorization)).toEqual(["Bearer t-1", "Bearer t-2"]);
  });

  test("is reported when no other token can be had", async () => {
    answers = [refused];
    const error = await failure(gateway().request("/api/x"));
    expect(error).toMatchObject({ status: 401, code: "expired_token", message: "Invalid token: expired" });
    expect(seen).toHaveLength(1);
  });
});

describe("a failure is put in words", () => {
  test("with its fields and further members", async () => {
    const fields = [{ path: "limit", reason: "must be a whole number" }];
    answers = [
      problem(429, { code: "quota_exceeded", message: "No more", fields, used: 7 }, { "retry-after": "90" }),
    ];
    expect(await failure(gateway().request("/api/x"))).toMatchObject({
      status: 429,
      code: "quota_exceeded",
      message: "No more",
      fields,
      retryAfterMs: 90_000,
      details: { used: 7 },
    });
  });

  test("of a proxy that knows nothing of problems, cut and without what drives terminals", async () => {
    answers = [() => new Response(`\x1b[2J<h1>Bad gateway</h1>\n${"x".repeat(100_000)}`, { status: 500 })];
    const { message, code } = await failure(gateway().request("/api/x"));
    expect(code).toBe("http_500");
    expect(message).toStartWith(
      `${address} answers 500 Internal Server Error: \\u001b[2J<h1>Bad gateway</h1> xxx`,
    );
    expect(message.length).toBeLessThan(300);
  });

  test("of a stranger", async () => {
    answers = [() => new Response("hello")];
    expect((await failure(gateway().read("/api/x", anything))).message).toBe(
      `${address}/api/x answers with no JSON; is it a gateway?`,
    );
    answers = [() => Response.json({ used: "7" })];
    expect((await failure(gateway().read("/api/x", v.object({ used: v.number() })))).message).toBe(
      `${address}/api/x answers in another form (used: Invalid type: Expected number but received "7"); ` +
        "is it a gateway, of this version?",
    );
  });

  test("when nobody is there", async () => {
    const away = new Gateway({
      address: "http://127.0.0.1:1",
      tokens: null,
      userAgent: "",
      retryDelaysMs: [],
    });
    expect(await failure(away.request("/", { anonymous: true }))).toMatchObject({
      code: "unreachable",
      message: "Cannot reach http://127.0.0.1:1: nothing listens there",
    });
  });
});

test("a redirect is not followed: the token would go with it", async () => {
  answers = [() => Response.redirect(`${address}/elsewhere`, 302)];
  expect(await failure(gateway().request("/api/x"))).toMatchObject({ code: "redirected" });
  expect(seen).toHaveLength(1);
});

test("an answer that does not come is given up", async () => {
  const { promise: never } = Promise.withResolvers<Response>();
  using silent = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => never });
  const options = { tokens: null, userAgent: "", retryDelaysMs: [] };
  const asked = new Gateway({ ...options, address: `http://127.0.0.1:${silent.port}` });
  const ask = { anonymous: true, answerMs: 20 };
  expect(await failure(asked.request("/", ask))).toMatchObject({ code: "timeout" });
});
