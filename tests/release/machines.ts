/** Kinds of machines that a release is for, and what of it comes from npm packages for them. */

export interface Machine {
  /** As in names of archives, and of Bun's targets. */
  readonly name: "x64" | "arm64";
  /** As Debian calls it. */
  readonly debian: "amd64" | "arm64";
  readonly target: "bun-linux-x64" | "bun-linux-arm64";
  /** npm packages: Bun's program, and ClickHouse as a library. */
  readonly runtime: string;
  readonly library: string;
}

export const machines: readonly Machine[] = [
  {
    name: "x64",
    debian: "amd64",
    target: "bun-linux-x64",
    runtime: "@oven/bun-linux-x64",
    library: "@chdb/lib-linux-x64-gnu",
  },
  {
    name: "arm64",
    debian: "arm64",
    target: "bun-linux-arm64",
    runtime: "@oven/bun-linux-aarch64",
    library: "@chdb/lib-linux-arm64-gnu",
  },
];

/** The kind of this machine; null for one that no release is for. */
export function ownMachine(): Machine | null {
  return machines.find(({ name }) => name === process.arch) ?? null;
}
