/** The laboratory's Internets that traces are timed on, and the target host's many addresses. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { internet, type Topology } from "../../lab/topology.ts";

/** Each address of the prefix is the target host's own. */
const many = { v4: "198.18.0.0/22", v6: "2001:db8:1800::/62" };

interface TracePath {
  readonly name: string;
  readonly topology: Topology;
}

const oneSilent: Topology = {
  ...internet,
  nodes: internet.nodes.map((node) => (node.name === "target" ? { ...node, local: many } : node)),
};
const allReply: Topology = {
  ...oneSilent,
  nodes: oneSilent.nodes.map(({ silent: _, ...node }) => node),
};

export const tracePaths: readonly TracePath[] = [
  { name: "every router replies", topology: allReply },
  { name: "one router is silent", topology: oneSilent },
];

/** Returns the path of a file with so many of the target host's addresses, at most 1,024. */
export function writeTargets(folder: string, count: number): string {
  const file = join(folder, "targets.txt");
  const targets = Array.from({ length: count }, (_, i) => `198.18.${i >> 8}.${i & 255}\n`);
  writeFileSync(file, targets.join(""));
  return file;
}
