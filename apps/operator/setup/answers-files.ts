/** Where answers come from: a file, the terminal, or those of the last run, which are kept. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { wrongUsage } from "../../../lib/command/command/command-error.ts";
import { readConfigSource } from "../../../lib/engines/config/config-source.ts";
import type { YamlSource } from "../../../lib/engines/config/yaml-file.ts";
import { type Answers, readAnswers } from "./answers.ts";
import type { Section } from "./manifest.ts";
import type { PlannedFile } from "./planned-file.ts";
import { askedAnswers } from "./questions.ts";

export const sections: readonly Section[] = ["platform", "agent"];

/** `vantage setup` without a file takes these. */
export function keptPath(section: Section): string {
  return `/etc/vantage/setup-${section}.yaml`;
}

/** The answers of the last run on this machine; null without one. Throws ConfigError. */
export function keptAnswers(prefix: string, section: Section): Answers | null {
  const path = join(prefix, keptPath(section));
  return existsSync(path) ? readAnswers({ name: path, text: readFileSync(path, "utf8") }) : null;
}

interface Given {
  readonly file: string | null;
  readonly prefix: string;
}

/** Rejects with CommandError, ConfigError. */
export async function answersFrom({ file, prefix }: Given): Promise<Answers> {
  if (file !== null) {
    return readAnswers(file === "-" ? await standardInput() : readConfigSource(file));
  }
  const kept = sections.map((section) => keptAnswers(prefix, section));
  if (kept.some((one) => one !== null)) {
    return Object.assign({}, ...kept) as Answers;
  }
  if (process.stdin.isTTY !== true) {
    throw wrongUsage(
      "no answers: give a file with --answers (an example is in --help), or run it on a terminal",
    );
  }
  return readAnswers({ name: "your answers", text: await askedAnswers() });
}

async function standardInput(): Promise<YamlSource> {
  return { name: "standard input", text: await Bun.stdin.text() };
}

/** An agent's answers hold its keys, so they are root's alone. */
export function keptFile(section: Section, answers: Answers): PlannedFile {
  const text = stringify({ [section]: answers[section] }, { lineWidth: 110 });
  const what = `# The answers of vantage setup. Change them here, and run vantage setup again.\n`;
  return { path: keptPath(section), text: what + text, mode: 0o600, group: null, isSecret: true };
}
