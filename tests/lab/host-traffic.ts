/**
 * What a host does besides probing: `bun host-traffic.ts CONNECTIONS`, in its namespace. Ends when all of it is done.
 *
 * To each family as many connections as said to an open port (SYN-ACK), to a closed one (RST) and, a tenth of them, to
 * a network that cannot be reached (ICMP that quotes a SYN of the kernel); and as many questions to a name server that
 * is not there (ICMP port unreachable).
 */
import { createSocket } from "node:dgram";
import { targetAddress } from "./responder/scenario.ts";

const atOnce = 100;
const targets = ["203.0.113.10", "2001:db8:cb::10"];
const unreachable = targetAddress(20);
const [openPort, closedPort, namePort] = [80, 81, 53];
/** As long as a question for a name is. */
const questionBytes = 45;

/** Resolves when the connection is made or refused. */
async function connect(hostname: string, port: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => resolve();
  const open = (socket: Bun.Socket) => void socket.end();
  const socket = { open, close: done, error: done, connectError: done, data: () => undefined };
  await Bun.connect({ hostname, port, socket }).catch(done);
  await Promise.race([promise, Bun.sleep(500)]);
}

async function connectOften(hostname: string, port: number, count: number): Promise<void> {
  for (let made = 0; made < count; made += atOnce) {
    const now = Math.min(atOnce, count - made);
    await Promise.all(Array.from({ length: now }, () => connect(hostname, port)));
  }
}

async function ask(hostname: string, count: number): Promise<void> {
  const socket = createSocket(hostname.includes(":") ? "udp6" : "udp4");
  // "Connection refused" is what is wanted here.
  socket.on("error", () => undefined);
  const question = new Uint8Array(questionBytes);
  for (let asked = 0; asked < count; asked++) {
    socket.send(question, namePort, hostname, () => undefined);
    if (asked % atOnce === 0) {
      await Bun.sleep(5);
    }
  }
  socket.close();
}

const count = Number(Bun.argv[2]);
for (const hostname of targets) {
  await Promise.all([
    connectOften(hostname, openPort, count),
    connectOften(hostname, closedPort, count),
    ask(hostname, count),
  ]);
}
for (const hostname of [unreachable.v4, unreachable.v6]) {
  await connectOften(hostname, openPort, count / 10);
}
