/** A management API for tests: a real HTTP server in both dialects, that can be away, slow or out of patience. */

type Mood = "well" | "unhurried" | "down" | "slow" | "limited" | "garbage";

export interface IdentityProvider extends Disposable {
  readonly url: string;
  mood: Mood;
  /** Paths asked for, in order. */
  readonly asked: string[];
  /** Bodies of token requests. */
  readonly logins: URLSearchParams[];
  /** Most requests that were open at one time. */
  readonly atOnceMax: number;
  /** Subjects that have an address. */
  readonly emails: Map<string, string>;
  /** Tokens issued so far stop working. */
  forgetTokens(): void;
}

export function startIdentityProvider(): IdentityProvider {
  const asked: string[] = [];
  const logins: URLSearchParams[] = [];
  const emails = new Map<string, string>();
  let tokens = new Set<string>();
  let open = 0;
  let atOnceMax = 0;

  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    if (self.mood === "down") {
      return new Response("no", { status: 502 });
    }
    if (self.mood === "limited") {
      return new Response("later", { status: 429, headers: { "retry-after": "1" } });
    }
    if (self.mood === "garbage") {
      return new Response("<html>");
    }
    if (self.mood === "unhurried") {
      await Bun.sleep(20);
    }
    if (self.mood === "slow") {
      await new Promise((resolve) => {
        request.signal.addEventListener("abort", resolve);
        setTimeout(resolve, 30_000).unref();
      });
    }
    if (pathname === "/oauth/token" || pathname === "/realms/vantage/protocol/openid-connect/token") {
      logins.push(new URLSearchParams(await request.text()));
      const token = crypto.randomUUID();
      tokens.add(token);
      return Response.json({ access_token: token, expires_in: 3600, token_type: "Bearer" });
    }
    if (!tokens.has(request.headers.get("authorization")?.slice("Bearer ".length) ?? "")) {
      return Response.json({ error: "invalid_token" }, { status: 401 });
    }
    const subject = decodeURIComponent(pathname.split("/").at(-1) ?? "");
    const email = emails.get(subject);
    return email === undefined ? new Response("{}", { status: 404 }) : Response.json({ email, id: subject });
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      open++;
      atOnceMax = Math.max(atOnceMax, open);
      try {
        return await answer(request);
      } finally {
        open--;
      }
    },
  });
  const self: IdentityProvider = {
    url: `http://127.0.0.1:${server.port}`,
    mood: "well",
    asked,
    logins,
    emails,
    get atOnceMax() {
      return atOnceMax;
    },
    forgetTokens: () => {
      tokens = new Set();
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
  return self;
}
