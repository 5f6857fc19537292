/**
 * The right to make network namespaces: root has it, others get it in a user namespace of their own.
 *
 * There the process is root over its own network and mount namespaces only. `ip netns` keeps names as files, so a
 * fresh tmpfs is mounted where it does; all of it disappears with the last process inside.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { LabError, namespaceFolder, run } from "./namespaces.ts";

const insideVariable = "VANTAGE_LAB_INSIDE";
const capabilityNetAdmin = 12n;
const capabilitySysAdmin = 21n;
const unshare = ["unshare", "--user", "--map-root-user", "--net", "--mount"];

/**
 * Makes sure that this process can make namespaces, if need be by running the whole program again inside a user
 * namespace.
 *
 * Returns null when this process has the right, and else the exit code of the program that ran inside. Throws
 * LabError, saying what to do, where the kernel allows neither.
 */
export async function runWithPrivilege(): Promise<number | null> {
  if (process.env[insideVariable] !== undefined) {
    await mountNamespaceFolder();
    return null;
  }
  if (holdsCapabilities()) {
    return null;
  }
  if (Bun.spawnSync([...unshare, "true"], { stdout: "ignore", stderr: "ignore" }).exitCode !== 0) {
    throw new LabError(
      "Cannot make network namespaces: run as root, or let users make user namespaces " +
        "(sysctl kernel.unprivileged_userns_clone=1, user.max_user_namespaces above 0)",
    );
  }
  return runInside();
}

function holdsCapabilities(): boolean {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  const wanted = (1n << capabilityNetAdmin) | (1n << capabilitySysAdmin);
  return (BigInt(`0x${effective ?? "0"}`) & wanted) === wanted;
}

async function runInside(): Promise<number> {
  const child = Bun.spawn([...unshare, process.execPath, ...process.argv.slice(1)], {
    env: { ...process.env, [insideVariable]: "1" },
    stdio: ["inherit", "inherit", "inherit"],
  });
  // A terminal interrupts both; the one inside cleans up, and this one passes its exit code on.
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  process.on("SIGTERM", pass);
  process.on("SIGHUP", pass);
  process.on("SIGINT", () => undefined);
  const exitCode = await child.exited;
  process.off("SIGTERM", pass);
  process.off("SIGHUP", pass);
  return exitCode;
}

/** Only root of the machine may create a folder in /run, so where it is missing all of /run is covered. */
async function mountNamespaceFolder(): Promise<void> {
  if (existsSync(namespaceFolder)) {
    await run(["mount", "-t", "tmpfs", "tmpfs", namespaceFolder]);
  } else {
    await run(["mount", "-t", "tmpfs", "tmpfs", "/run"]);
    mkdirSync(namespaceFolder);
  }
}
