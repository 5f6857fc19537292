/** What one process of the bench says: time and memory of loading, and look-ups of each round. */
import { runToEnd } from "../../run/said.ts";
export interface SubjectRun {
  readonly loadSec: number;
  /** Memory that loading has added. */
  readonly loadMb: number;
  /** Look-ups per second of one core's time. */
  readonly perSec: number;
  /** Sum of all AS numbers that were found: the same for all who find the same. */
  readonly sum: number;
}

/** Runs a program that prints one SubjectRun as JSON. Throws with what it complained about. */
export async function subjectRun(command: readonly string[], folder: string): Promise<SubjectRun> {
  const { stdout: said, stderr: complaint, exitCode } = await runToEnd(command, { cwd: folder });
  if (exitCode !== 0) {
    throw new Error(`${command[0]}: ${complaint.trim().slice(-2000)}`);
  }
  return JSON.parse(said);
}
