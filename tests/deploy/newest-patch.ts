/** The newest patch of what compose.yaml pins, as the registry has it that this machine asks for the same program. */
import { runToEnd } from "../run/said.ts";

const waitMs = 60_000;

interface Source {
  readonly command: readonly string[];
  /** Versions in what it prints. */
  readonly versions: RegExp;
}

/** Debian's fixed packages keep the version of PostgreSQL that has the fix. */
function debian(name: string): Source {
  return { command: ["apt-cache", "policy", name], versions: /^ +Candidate: (\d+\.\d+)-/gm };
}

function goModule(path: string): Source {
  return { command: ["go", "list", "-m", "-versions", path], versions: /\bv(\d+\.\d+\.\d+)(?=\s|$)/g };
}

/** By the image's name, without its registry. */
export const sources: Readonly<Record<string, Source>> = {
  "library/postgres": debian("postgresql-15"),
  "library/caddy": goModule("github.com/caddyserver/caddy/v2"),
  "tailscale/tailscale": goModule("tailscale.com"),
};

/** The newest patch of the series that `version` is of; null where no registry answers. */
export async function newestPatch({ command, versions }: Source, version: string): Promise<string | null> {
  const [program = "", ...rest] = command;
  if (Bun.which(program) === null) {
    return null;
  }
  const { stdout } = await runToEnd([program, ...rest], { cwd: "/tmp", timeout: waitMs });
  return newestIn(stdout, versions, version);
}

/** A series is all but the last number. */
export function newestIn(text: string, versions: RegExp, version: string): string | null {
  const series = version.slice(0, version.lastIndexOf(".") + 1);
  const patches = [...text.matchAll(versions)]
    .flatMap(([, found = ""]) => (found.startsWith(series) ? [found.slice(series.length)] : []))
    .filter((patch) => /^\d+$/.test(patch))
    .map(Number);
  return patches.length === 0 ? null : `${series}${Math.max(...patches)}`;
}
