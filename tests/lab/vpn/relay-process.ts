/**
 * In front of the coordination server, as a reverse proxy is: `bun relay-process.ts ADDRESS PORT TO_PORT`. At SIGUSR1
 * it loses all connections, and lets new ones through 9 s later: who comes
 * between 9 and 10 s, Headscale 0.28 takes for offline.
 */
import { connect, createServer, type Socket } from "node:net";

const heldMs = 9000;
const [address = "", port, toPort] = process.argv.slice(2);
const sockets = new Set<Socket>();
let heldUntilMs = 0;

function join(client: Socket): void {
  const server = connect(Number(toPort), address);
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const) {
    sockets.add(one);
    one.on("error", () => undefined);
    one.on("close", () => {
      sockets.delete(one);
      other.destroy();
    });
    one.pipe(other);
  }
}

createServer((client) => {
  client.on("error", () => undefined);
  setTimeout(() => join(client), Math.max(0, heldUntilMs - performance.now()));
}).listen(Number(port), address, () => process.stdout.write("listening\n"));

process.on("SIGUSR1", () => {
  heldUntilMs = performance.now() + heldMs;
  for (const socket of sockets) {
    socket.destroy();
  }
});
