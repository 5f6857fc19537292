/** Holds one TCP port open on every address: the service that a SYN probe finds. Usage: listener.ts PORT */
const port = Number(process.argv[2]);

Bun.listen({ hostname: "::", port, socket: { data: (socket) => void socket.end() } });
process.stdout.write("ready\n");
