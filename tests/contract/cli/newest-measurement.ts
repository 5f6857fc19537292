/** The measurement that a command makes at the shared gateway. */
import { place } from "./shared-place.ts";

export const lookEveryMs = 300;

interface Newest {
  readonly measurement_id: string;
  readonly status: string;
  readonly probes: number;
}

/** The measurement that a command makes, once it has; each look is a process. */
export async function newestOf(user: string): Promise<Newest> {
  for (;;) {
    const { stdout } = await place.run(user, ["measurements", "-o", "json", "-n", "1"]);
    const [newest] = JSON.parse(stdout);
    if (newest !== undefined) {
      return newest;
    }
    await Bun.sleep(lookEveryMs);
  }
}
