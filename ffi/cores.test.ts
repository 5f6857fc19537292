import { afterEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Cores } from "./cores.ts";

const cores = new Cores();
afterEach(() => cores.all());

/** As the kernel lists them: `0-1,4`. */
function allowed(): string {
  const status = readFileSync("/proc/thread-self/status", "utf8");
  return /^Cpus_allowed_list:\t(.*)$/m.exec(status)?.[1] ?? "";
}

test("a thread stays on one core, keeps off it, and has all of its own again", () => {
  const own = allowed();
  const core = cores.current();
  cores.only(core);
  expect(allowed()).toBe(String(core));
  cores.all();
  expect(allowed()).toBe(own);
  cores.allBut(core);
  // Where there is but one, nothing changes.
  expect(allowed() === own).toBe(own === String(core));
  expect(allowed().split(",")).not.toContain(own === String(core) ? "none" : String(core));
});
