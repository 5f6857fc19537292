/** What the tests of context share: reproducible chance, and programs of other people. */
import { addressOfWords } from "../../../lib/net/ip/words.ts";
import { runToEnd } from "../../run/said.ts";

/** Numerical Recipes' generator: the same numbers in each run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Half of them IPv4 in 20.0.0.0/6, half IPv6 in 2a00::/10. */
export function randomAddress(random: () => number): Uint8Array {
  const word = () => Math.floor(random() * 2 ** 32);
  const isIpv4 = random() < 0.5;
  return addressOfWords(
    isIpv4
      ? [0, 0, 0xffff, (0x14000000 + Math.floor(random() * 0x04000000)) >>> 0]
      : [(0x2a000000 + Math.floor(random() * 0x00400000)) >>> 0, word(), word(), word()],
  );
}

/** What a program prints; throws when it fails. */
export async function run(command: readonly string[], folder: string): Promise<string> {
  const { stdout: said, stderr: complaint, exitCode } = await runToEnd(command, { cwd: folder });
  if (exitCode !== 0) {
    throw new Error(`${command[0]}: ${complaint.trim()}`);
  }
  return said;
}
