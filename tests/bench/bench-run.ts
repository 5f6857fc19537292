/** One run of the benches for their tests: on so few packets that the figures mean nothing. */
import { expect } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { namespaceFolder } from "../lab/namespaces.ts";
import { saidBy } from "../run/said.ts";

export class BenchRun implements Disposable {
  /** Each bench makes its folder here, so that what it leaves behind shows. */
  readonly #folder = mkdtempSync(join(tmpdir(), "vantage-bench-test-"));

  constructor() {
    // PostgreSQL works in it as a user of its own.
    chmodSync(this.#folder, 0o711);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }

  start(...args: string[]) {
    return Bun.spawn([process.execPath, join(import.meta.dirname, "main.ts"), ...args], {
      env: { ...process.env, TMPDIR: this.#folder },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
  }

  async run(...args: string[]) {
    const child = this.start(...args);
    const { stdout, stderr, exitCode } = await saidBy(child);
    return { stdout, stderr, exitCode, left: this.leftBy(child.pid) };
  }

  /** One round of a bench that must end well and leave nothing behind; its figures, a line of JSON each. */
  async figures(name: string, ...more: string[]): Promise<string[]> {
    const { stdout, stderr, exitCode, left } = await this.run(name, "--rounds", "1", "--json", ...more);
    expect(exitCode, stderr).toBe(0);
    expect(left).toEqual([]);
    return stdout.trim().split("\n");
  }

  /** Namespaces and files of a bench that has ended. */
  leftBy(pid: number): string[] {
    return [...namespacesOf(pid), ...readdirSync(this.#folder, { recursive: true, encoding: "utf8" })];
  }
}

export function namespacesOf(pid: number): string[] {
  const all = existsSync(namespaceFolder) ? readdirSync(namespaceFolder) : [];
  return all.filter((name) => name.startsWith(`vbench${pid}-`));
}

/** `subject / reference unit`, in order, after a look at the figures of each line. */
export function comparisons(figures: readonly string[], bench: string): string[] {
  return figures.map((line) => {
    const { subject, reference, value, referenceValue, unit, ratio, rounds, ...rest } = JSON.parse(line);
    expect(rest).toEqual({ bench });
    // The kernel counts CPU in steps of 10 ms: less is nothing.
    expect(value).toBeGreaterThan(unit === "% of a core" ? -1 : 0);
    expect(referenceValue).toBeGreaterThan(0);
    expect(ratio).toBeCloseTo(value / referenceValue, 2);
    expect(rounds).toBe(1);
    return `${subject} / ${reference} ${unit}`;
  });
}
