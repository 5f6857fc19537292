/**
 * An agent that is taken over: the very daemon, and then what an attacker would try from inside it.
 *
 *   bun tests/lab/privileged-agent.ts CONFIG
 *
 * Says `up` when the agent runs; on SIGUSR1 tries everything and prints what came of it as a line of JSON.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { readAgentConfig } from "../../apps/probing/agent/config/config.ts";
import { Daemon } from "../../apps/probing/agent/daemon.ts";
import { errno, libc } from "../../ffi/libc.ts";

const path = Bun.argv[2] ?? "";
const daemon = await Daemon.start(readAgentConfig({ name: path, text: readFileSync(path, "utf8") }, {}));

function outcome(attempt: () => unknown): string {
  try {
    const result = attempt();
    return typeof result === "number" && result < 0 ? `errno ${errno()}` : "done";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

function attack(): Record<string, string> {
  return {
    anotherProgram: outcome(() => Bun.spawnSync(["/bin/true"])),
    packetSocket: outcome(() => libc().socket(17, 3, 0)),
    rawSocket: outcome(() => libc().socket(2, 3, 1)),
    rootAgain: outcome(() => libc().setresuid(0, 0, 0)),
    shadow: outcome(() => readFileSync("/etc/shadow")),
    ownFiles: outcome(() => writeFileSync("/etc/vantage-was-here", "")),
    trace: outcome(() => Number(libc().syscall(101n, 16n, BigInt(process.ppid), 0n, 0n, 0n))),
    namespaces: outcome(() => Number(libc().syscall(272n, 0x1000_0000n, 0n, 0n, 0n, 0n))),
  };
}

process.on("SIGUSR1", () => console.log(JSON.stringify(attack())));
process.on("SIGTERM", async () => {
  await daemon.stop();
  process.exit(0);
});
console.log("up");
setInterval(() => daemon.observe(), 500);
