/** In the exchange's namespace: passes questions on to a unix socket, with the address that asked. */
const [ownAddress = "", ownPort = "", labSocket = ""] = process.argv.slice(2);

Bun.serve({
  hostname: ownAddress,
  port: Number(ownPort),
  fetch: (request, server) => {
    const from = server.requestIP(request)?.address ?? "";
    const { pathname } = new URL(request.url);
    return fetch(`http://lab${pathname}?from=${encodeURIComponent(from)}`, { unix: labSocket });
  },
});
