/** In a user's namespace: passes requests to the gateway on, through a unix socket. */
const [relayPort = "", testSocket = ""] = process.argv.slice(2);

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(relayPort),
  // A question for requests is held for longer than Bun's 10 s.
  idleTimeout: 60,
  fetch: async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = method === "GET" ? null : await request.text();
    return fetch(`http://lab${pathname}${search}`, { method, headers, body, unix: testSocket });
  },
});
