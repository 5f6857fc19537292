/**
 * Carries connections between a port and a unix socket, which two network namespaces can share: an agent in one
 * finds Kafka and the gateway at its own loopback, as through a tunnel. In the namespace: `bun relay.ts PORT SOCKET`.
 */
import { type AddressInfo, connect, createServer, type NetConnectOpts } from "node:net";

/** Listens on a port of loopback, or on a socket by its path, and connects to the other for each who comes. */
export async function relay(from: number | string, to: number | string): Promise<Disposable> {
  const server = createServer((near) => {
    const far = connect(placeOf(to));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
  const listening = Promise.withResolvers<void>();
  server.once("error", listening.reject);
  server.listen(placeOf(from), () => listening.resolve());
  await listening.promise;
  return { [Symbol.dispose]: () => server.close() };
}

function placeOf(where: number | string): NetConnectOpts & Partial<AddressInfo> {
  return typeof where === "number" ? { host: "127.0.0.1", port: where } : { path: where };
}

if (import.meta.main) {
  const [, , port = "", socket = ""] = process.argv;
  await relay(Number(port), socket);
  console.log("listening");
}
