/** A folder for what tests write on the side, which goes whatever they leave in it. */
import { chmodSync, mkdirSync, readdirSync, rmSync } from "node:fs";

export class TemporaryFolder {
  readonly path: string;

  /** Everybody may write in it, as in /tmp: engines run as users of their own. */
  constructor(path: string) {
    this.path = path;
    mkdirSync(path);
    chmodSync(path, 0o1777);
  }

  /** The names of what was left in it, and the reason where something cannot be removed, as a mount. */
  remove(): string[] {
    const left = readdirSync(this.path);
    try {
      rmSync(this.path, { recursive: true, force: true });
      return left;
    } catch (error) {
      return [...left, String(error)];
    }
  }
}
