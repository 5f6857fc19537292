/** Processes that are stopped by SIGSTOP: their sockets stay open, take what comes, and answer nothing. */
import { readdirSync, readFileSync } from "node:fs";

/** Stops a process with all below it; what comes back lets them go on. */
export function freeze(pid: number): () => void {
  const tree = treeOf(pid);
  signal(tree, "SIGSTOP");
  return () => signal(tree, "SIGCONT");
}

/** Parents first: PostgreSQL has a process for each connection. */
function treeOf(root: number): number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)] as const);
  const tree = [root];
  for (const pid of tree) {
    tree.push(...parents.flatMap(([child, parent]) => (parent === pid ? [child] : [])));
  }
  return tree;
}

/** proc(5): the name in field 2 may hold spaces; behind it come the state and the parent. */
function parentOf(name: string): number {
  try {
    return Number(readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1]);
  } catch {
    // It has ended in the meantime.
    return 0;
  }
}

function signal(pids: readonly number[], name: "SIGSTOP" | "SIGCONT"): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended in the meantime.
    }
  }
}
