/** Lets what runs in the test's process be asked for inside a namespace of the lab. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Daemon } from "../../exchange/daemon.ts";
import type { ExchangeLab } from "./exchange-lab.ts";

interface RelayOptions {
  readonly node: string;
  /** Where it listens there. */
  readonly address: string;
  readonly port: number;
  /** `from` is the address that has asked. */
  readonly answer: (path: string, from: string) => Response | Promise<Response>;
}

const script = join(import.meta.dirname, "status-relay.ts");

export function startRelay(lab: ExchangeLab, { node, address, port, answer }: RelayOptions): AsyncDisposable {
  const stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "vantage-relay-"));
  stack.defer(() => rmSync(folder, { recursive: true }));
  const unix = join(folder, "relay.sock");
  const server = Bun.serve({
    unix,
    fetch: (request) => {
      const { pathname, searchParams } = new URL(request.url);
      return answer(pathname, searchParams.get("from") ?? "");
    },
  });
  stack.defer(() => server.stop(true));
  const command = lab.net.at(node, [process.execPath, script, address, String(port), unix]);
  stack.use(new Daemon("relay", folder, command));
  return stack;
}
