/** A room of the house: what it holds, and what it may import. */

export interface Room {
  /** A folder, or one file. */
  readonly path: string;
  /** For readers, in Markdown. */
  readonly holds: string;
  /** Folders or files of the project that it may import, besides itself; `pure` = every pure room. */
  readonly ours: readonly string[];
  /** npm packages; a subpath of a package is the package. */
  readonly packages: readonly string[];
  /**
   * Takes clock, randomness, network and disk as arguments: neither it nor what it imports uses a global or a module of
   * the platform.
   */
  readonly pure: boolean;
}

type Needs = Partial<Pick<Room, "ours" | "packages">>;

export function pureRoom(path: string, holds: string, { ours = [], packages = [] }: Needs = {}): Room {
  return { path, holds, ours, packages, pure: true };
}

export function room(path: string, holds: string, { ours = [], packages = [] }: Needs = {}): Room {
  return { path, holds, ours, packages, pure: false };
}

/** Whether a file lies in a folder, or is the file itself. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
