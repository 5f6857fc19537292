/** `--dry-run`: the pending change as a diff, without writing anything or notifying the daemon. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { policyText } from "../../lib/policy/policy-text.ts";
import type { Generator } from "./generator.ts";
import { sourceNames } from "./source-cache.ts";

interface DryRun {
  /** Empty when nothing would change. */
  readonly diff: string;
  readonly haveAnswered: boolean;
}

export async function dryRun(generator: Generator): Promise<DryRun> {
  const answered = await Promise.all(sourceNames.map((source) => generator.refresh(source)));
  const text = policyText(generator.current().policy).text;
  return {
    diff: await diffOf(await generator.parts.file.text(), text),
    haveAnswered: !answered.includes(false),
  };
}

/** Uses diff(1), which every Debian has. */
async function diffOf(before: string, after: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "vantage-policy-"));
  try {
    await writeFile(join(folder, "in-force"), before, { mode: 0o600 });
    await writeFile(join(folder, "would-be"), after, { mode: 0o600 });
    const labels = ["--label", "in force", "--label", "would be"];
    const command = ["diff", "-u", ...labels, "in-force", "would-be"];
    return await new Response(Bun.spawn(command, { cwd: folder, stdout: "pipe" }).stdout).text();
  } finally {
    await rm(folder, { recursive: true });
  }
}
