/**
 * Makes the kernel of GoBGP's namespace forward by what GoBGP has chosen. GoBGP 3.10 itself can do so by FRR's zebra
 * only, and ends with a fault on what zebra 8.4 sends.
 */
import { run } from "../namespaces.ts";

await run(["gobgp", "global"]);
const monitor = Bun.spawn(["gobgp", "monitor", "global", "rib", "-a", "ipv6", "--current"], {
  stderr: "inherit",
});
const kernel = Bun.spawn(["ip", "-6", "-force", "-batch", "-"], { stdin: "pipe", stderr: "inherit" });
let rest = "";
for await (const chunk of monitor.stdout.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    process.stderr.write(`${line}\n`);
    const [, event, network, nextHop] = /\[(ROUTE|DELROUTE)\] (\S+) via (\S+) /.exec(line) ?? [];
    if (event !== undefined) {
      const way = event === "ROUTE" ? `replace ${network} via ${nextHop}` : `del ${network}`;
      kernel.stdin.write(`route ${way} proto bgp\n`);
      kernel.stdin.flush();
    }
  }
}
