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

/** Kinds of machines for which a release has the commands of users: packets are sent on Linux only. */
export interface ClientMachine {
  /** As in names of archives. */
  readonly name: "macos-arm64" | "macos-x64" | "windows-x64";
  /** For people. */
  readonly label: string;
  readonly target: "bun-darwin-arm64" | "bun-darwin-x64" | "bun-windows-x64";
  /** npm package of Bun's program, and its path there. */
  readonly runtime: string;
  readonly runtimePath: string;
  readonly program: "vantage" | "vantage.exe";
}

const mac = { runtimePath: "bin/bun", program: "vantage" } as const;

export const clientMachines: readonly ClientMachine[] = [
  {
    ...{ name: "macos-arm64", label: "macOS on Apple silicon", target: "bun-darwin-arm64" },
    ...{ runtime: "@oven/bun-darwin-aarch64", ...mac },
  },
  {
    ...{ name: "macos-x64", label: "macOS on Intel", target: "bun-darwin-x64" },
    ...{ runtime: "@oven/bun-darwin-x64", ...mac },
  },
  {
    ...{ name: "windows-x64", label: "Windows on x86-64", target: "bun-windows-x64" },
    ...{ runtime: "@oven/bun-windows-x64", runtimePath: "bin/bun.exe", program: "vantage.exe" },
  },
];

/** The kind of this machine; null for one that no release is for. */
export function ownMachine(): Machine | null {
  return machines.find(({ name }) => name === process.arch) ?? null;
}
