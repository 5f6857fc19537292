/** The newest patch of what is pinned for containers, from a registry that has the program or a part of it. */
import { join } from "node:path";
import { runToEnd } from "../run/said.ts";

const waitMs = 120_000;

interface Source {
  readonly command: readonly string[];
  /** Versions in what it prints. */
  readonly versions: RegExp;
  /** How that registry writes a version; default: as the image does. */
  readonly written?: (version: string) => string;
}

/** Debian's fixed packages keep the version of PostgreSQL that has the fix. */
function debian(name: string): Source {
  return { command: ["apt-cache", "policy", name], versions: /^ +Candidate: (\d+\.\d+)-/gm };
}

function goModule(path: string): Source {
  return { command: ["go", "list", "-m", "-versions", path], versions: /\bv(\d+\.\d+\.\d+)(?=\s|$)/g };
}

/** A package that is released with the program, under the same version. */
function npmPackage(name: string): Source {
  return { command: ["npm", "view", name, "versions", "--json"], versions: /"(\d+\.\d+\.\d+)"/g };
}

const kafkaPom = join(import.meta.dirname, "../kafka/pom.xml");
const updates = "org.codehaus.mojo:versions-maven-plugin:2.18.0:display-dependency-updates";

/** The plugin prints the newest patch of the series that the tests run, or that there is no newer one. */
const kafka: Source = {
  command: [
    ...["mvn", "-B", "-U", "-f", kafkaPom, updates],
    ...["-DallowMajorUpdates=false", "-DallowMinorUpdates=false", "-Dverbose=true"],
  ],
  versions: /kafka_2\.13 [ .]*(?:\S+ -> )?(\d+\.\d+\.\d+)$/gm,
};

/** Its module has the version 0.305.1 where the program has 3.5.1. */
const prometheus: Source = {
  ...goModule("github.com/prometheus/prometheus"),
  written: (version) => {
    const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
    return `0.${100 * major + minor}.${patch}`;
  },
};

/** By the image's name, without its registry. ClickHouse is pinned by its series, whose tag is its newest patch. */
export const sources: Readonly<Record<string, Source>> = {
  "library/postgres": debian("postgresql-15"),
  "library/caddy": goModule("github.com/caddyserver/caddy/v2"),
  "tailscale/tailscale": goModule("tailscale.com"),
  "apache/kafka": kafka,
  "keycloak/keycloak": npmPackage("@keycloak/keycloak-admin-client"),
  "grafana/grafana": npmPackage("@grafana/data"),
  "prom/prometheus": prometheus,
  "prom/alertmanager": goModule("github.com/prometheus/alertmanager"),
  "headscale/headscale": goModule("github.com/juanfont/headscale"),
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
