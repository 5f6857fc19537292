/** A file that setup writes. Pure. */
import { stringify } from "yaml";
import { heading } from "./deploy-files.ts";

export interface PlannedFile {
  /** Absolute, without the prefix. */
  readonly path: string;
  readonly text: string;
  readonly mode: 0o600 | 0o640 | 0o644 | 0o755;
  /** Who may read it besides root; null = root's own group. */
  readonly group: string | null;
  /** Holds secrets, which are not shown. */
  readonly isSecret: boolean;
}

/** For everyone to read. */
export function openFile(path: string, text: string): PlannedFile {
  return { path, text, mode: 0o644, group: null, isSecret: false };
}

export function scriptFile(path: string, text: string): PlannedFile {
  return { path, text, mode: 0o755, group: null, isSecret: false };
}

/** For root and one group. */
export function groupFile(path: string, group: string, text: string): PlannedFile {
  return { path, text, mode: 0o640, group, isSecret: true };
}

export function yamlFile(path: string, group: string, page: string, value: object): PlannedFile {
  const text = `${heading("from your answers")}# All keys: ${page}\n${stringify(value, { lineWidth: 110 })}`;
  return groupFile(path, group, text);
}

/** A drop-in of a unit. */
export function dropIn(unit: string, lines: readonly string[]): PlannedFile {
  const path = `/etc/systemd/system/${unit}.service.d/vantage-setup.conf`;
  return openFile(path, `${heading("from your answers")}${lines.join("\n")}\n`);
}
