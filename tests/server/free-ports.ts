/** A port of loopback for each name that nobody listens at now: for a server that cannot choose its own. */
export function freePortsFor<Name extends string>(...names: readonly Name[]): Record<Name, number> {
  // All open at once, so that all are different.
  const listeners = names.map((name) => [name, open()] as const);
  const ports = Object.fromEntries(listeners.map(([name, { port }]) => [name, port])) as Record<Name, number>;
  for (const [, listener] of listeners) {
    listener.stop(true);
  }
  return ports;
}

function open() {
  return Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
}
