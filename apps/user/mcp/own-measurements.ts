/** Measurements started by one run of the server, which it may cancel. */
import { ToolError } from "./answer.ts";

export class OwnMeasurements {
  readonly #ids = new Set<string>();
  readonly #mayCancelAny: boolean;

  constructor(mayCancelAny: boolean) {
    this.#mayCancelAny = mayCancelAny;
  }

  add(id: string): void {
    this.#ids.add(id);
  }

  /** Throws ToolError. */
  checkMayCancel(id: string): void {
    if (!this.#mayCancelAny && !this.#ids.has(id.toLowerCase())) {
      throw new ToolError(
        `Cannot cancel ${id}: this server did not start it; ask the person, or for vantage mcp --cancel-any`,
      );
    }
  }
}
