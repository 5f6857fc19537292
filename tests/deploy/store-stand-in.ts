/**
 * A column store at a port, where ClickHouse's server would be: chDB on a folder, and a way to it from other hosts.
 *
 *   bun store-stand-in.ts FOLDER PORT
 */
import { readEndpoint } from "../../lib/engines/store/clickhouse/endpoint-file.ts";
import { vantageCommand } from "../run/vantage-command.ts";

const [folder = "", port = "8123"] = Bun.argv.slice(2);
const store = Bun.spawn([...vantageCommand, "stack", "store", "--dir", folder], {
  stdin: "ignore",
  stdout: "inherit",
  stderr: "inherit",
});
process.once("SIGTERM", () => store.kill("SIGTERM"));

while (readEndpoint(folder) === null && store.exitCode === null) {
  await Bun.sleep(20);
}
const inside = readEndpoint(folder)?.url ?? "";
Bun.serve({
  hostname: "0.0.0.0",
  port: Number(port),
  idleTimeout: 60,
  fetch: (request) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers, body } = request;
    return pathname === "/ping" && search === ""
      ? new Response("Ok.\n")
      : fetch(new URL(pathname + search, inside), { method, headers, body, decompress: false });
  },
});
process.exitCode = await store.exited;
