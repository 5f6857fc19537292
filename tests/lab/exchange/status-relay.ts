/** In the exchange's namespace: passes `GET /status` on to a unix socket, with the address that asked. */
const [ownAddress = "", ownPort = "", labSocket = ""] = process.argv.slice(2);

Bun.serve({
  hostname: ownAddress,
  port: Number(ownPort),
  fetch: (request, server) => {
    const from = server.requestIP(request)?.address ?? "";
    return fetch(`http://lab/status?from=${encodeURIComponent(from)}`, { unix: labSocket });
  },
});
