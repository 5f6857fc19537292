/** CONTENTS.md of a release: each file, what it is for, and whether it has been run where it was made. Pure. */
import { notRunHere } from "./client-archive.ts";
import { clientMachines } from "./machines.ts";

function meaningOf(name: string): string | null {
  const client = clientMachines.find((machine) => name.endsWith(`-${machine.name}.tar.gz`));
  if (client !== undefined) {
    return `the client for ${client.label}; ${notRunHere}`;
  }
  if (name.endsWith(".deb")) {
    return `Debian package, ${name.endsWith("_arm64.deb") ? `arm64; ${notRunHere}` : "x86-64"}`;
  }
  if (/-linux-[^-]+\.tar\.gz$/.test(name)) {
    return `everything, for Linux on ${name.includes("-arm64.") ? `arm64; ${notRunHere}` : "x86-64"}`;
  }
  return name === "vantage.cdx.json" ? "what it is made of (CycloneDX)" : null;
}

/** `names` are those of the release's folder, `missing` what could not be had, a sentence each. */
export function contentsOf(names: readonly string[], missing: readonly string[]): string {
  const rows = names.toSorted().flatMap((name) => {
    const meaning = meaningOf(name);
    return meaning === null ? [] : [`| ${name} | ${meaning} |\n`];
  });
  const table = `# Contents\n\n| file | is |\n|---|---|\n${rows.join("")}`;
  return missing.length === 0
    ? table
    : `${table}\nNot in it:\n\n${missing.map((sentence) => `- ${sentence}\n`).join("")}`;
}
