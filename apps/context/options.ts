/** What the commands of `vantage context` take. */
import { homedir } from "node:os";
import { join } from "node:path";
import { address, file, folder, kindOf, unfit } from "../../lib/command/kinds.ts";

export const dirOption = {
  kind: folder,
  defaultText: "VANTAGE_CONTEXT_DIR, else ~/.local/share/vantage/context",
  meaning: "where the sets lie",
} as const;

const day = kindOf("DAY", "any", (given) => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(given) ? Date.parse(`${given}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(time) || dayOf(time) !== given ? unfit("is not a day, as 2026-11-22") : given;
});

export const dateOption = { kind: day, defaultText: "today, UTC" } as const;

export const fileArguments = {
  files: { kind: file, many: true, required: true, meaning: "data files, packed by gzip or bzip2 or not" },
} as const;

export const addressArguments = {
  addresses: {
    kind: address,
    placeholder: "ADDRESS",
    many: true,
    required: true,
    meaning: "IPv4 and IPv6 addresses",
  },
} as const;

export function today(): string {
  return dayOf(Date.now());
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

export function dirDefault(): string {
  const { VANTAGE_CONTEXT_DIR, XDG_DATA_HOME } = process.env;
  return VANTAGE_CONTEXT_DIR || join(XDG_DATA_HOME || join(homedir(), ".local/share"), "vantage/context");
}
