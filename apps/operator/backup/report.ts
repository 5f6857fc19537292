/** The progress of a backup, a line for each part on standard error, and which parts failed. */
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import { counted, sizeText } from "../../../lib/base/terminal/figures.ts";
import { printErrorLine } from "../../../lib/base/terminal/output.ts";
import type { Part } from "./manifest.ts";

interface Amount {
  readonly count: number;
  /** Singular. */
  readonly noun: string;
}

const nameColumns = 40;

export class Report {
  readonly failures: string[] = [];
  #bytes = 0;

  /** Bytes of all parts in the backup. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Does the work of one part; a failure is noted, and the others follow all the same. */
  async part(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.failures.push(`${name}: ${systemReason(error)}`);
    }
  }

  copied(name: string, { count, noun }: Amount, parts: readonly { readonly part: Part }[], note = ""): void {
    const bytes = parts.reduce((sum, { part }) => sum + part.bytes, 0);
    this.#bytes += bytes;
    printErrorLine(
      `${name.padEnd(nameColumns)}  ${counted(count, noun).padStart(18)}  ${sizeText(bytes).padStart(9)}${note}`,
    );
  }
}
