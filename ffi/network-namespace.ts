/**
 * Sockets in another network namespace (network_namespaces(7)): setns(2) moves the calling thread alone, and a socket
 * stays in the namespace in which it was made.
 */
import { check, cString, libc } from "./libc.ts";

const newNetwork = 0x4000_0000;
const closeOnExec = 0o2_000_000;

/**
 * Runs `make` with this thread in the namespace of the file `path`, as /run/netns/NAME. What `make` does later,
 * behind an await, is outside again. Throws SystemError; needs CAP_SYS_ADMIN.
 */
export function inNetworkNamespace<Made>(path: string, make: () => Made): Made {
  using there = opened(path);
  using back = opened("/proc/thread-self/ns/net");
  const action = `enter ${path}`;
  check(libc().setns(there.descriptor, newNetwork), action);
  try {
    return make();
  } finally {
    check(libc().setns(back.descriptor, newNetwork), `leave ${path}`);
  }
}

function opened(path: string): Disposable & { readonly descriptor: number } {
  const descriptor = check(libc().open(cString(path), closeOnExec, 0), `open ${path}`);
  return { descriptor, [Symbol.dispose]: () => void libc().close(descriptor) };
}
