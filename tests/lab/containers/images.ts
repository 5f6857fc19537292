/**
 * The images that the machines run: ours by `docker compose build`, as the page has it; those of Docker Hub and Quay,
 * which cannot be had from a registry of packages, made of the same programs where there are any (`stand-ins`).
 */
import { cpSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { LabError } from "../namespaces.ts";
import type { Machine } from "./machine.ts";
import type { Parts } from "./parts.ts";
import { must } from "./parts.ts";

const project = join(import.meta.dirname, "../../..");
const standIns = join(import.meta.dirname, "stand-ins");
const storeFront = join(import.meta.dirname, "stand-ins/clickhouse/front.ts");
/** Services of compose.yaml by which our images are built, each once; Grafana's needs Grafana. */
const builders = ["probing-gateway", "exchange-bird", "rtr", "keycloak", "exchange-vpn"] as const;

/** A base of others comes before them. */
const bases: Readonly<Record<string, (parts: Parts) => string>> = {
  "debian:bookworm-20260812-slim": ({ bookworm }) => bookworm,
  "debian:trixie": ({ trixie }) => trixie,
};
/** By the folder in `stand-ins`: the image without its version, and whether it is the program itself. */
const others: Readonly<Record<string, { readonly image: string; readonly is: string }>> = {
  bun: { image: "docker.io/oven/bun", is: "the npm package's program" },
  kafka: { image: "docker.io/apache/kafka", is: "Maven's jars, same version" },
  keycloak: { image: "quay.io/keycloak/keycloak", is: "Maven's distribution, same version" },
  postgres: { image: "docker.io/library/postgres", is: "Debian 12's package" },
  caddy: { image: "docker.io/library/caddy", is: "Debian 12's package" },
  prometheus: { image: "docker.io/prom/prometheus", is: "Debian 13's package" },
  alertmanager: { image: "docker.io/prom/alertmanager", is: "Debian 13's package" },
  clickhouse: { image: "docker.io/clickhouse/clickhouse-server", is: "STOOD IN FOR by chDB behind HTTP" },
  tailscale: { image: "docker.io/tailscale/tailscale", is: "built by Go, same version" },
  headscale: { image: "docker.io/headscale/headscale", is: "built by Go, same version" },
  grafana: { image: "vantage-grafana", is: "STOOD IN FOR: it answers its health check, no more" },
};

interface BuiltImage {
  readonly name: string;
  readonly is: string;
  readonly seconds: number;
  readonly megabytes: number;
}

/** Builds all on a machine that has the host's network. */
export async function buildImages(builder: Machine, lab: string, parts: Parts): Promise<BuiltImage[]> {
  const built: BuiltImage[] = [];
  const timed = async (name: string, is: string, work: () => Promise<unknown>) => {
    const startedMs = performance.now();
    await work();
    const seconds = (performance.now() - startedMs) / 1000;
    const bytes = Number(await builder.run(["docker", "image", "inspect", "--format={{.Size}}", name]));
    built.push({ name, is, seconds, megabytes: Math.round(bytes / 1e6) });
  };
  for (const [name, rootOf] of Object.entries(bases)) {
    await timed(name, "Debian by debootstrap", () => importBase(builder, name, rootOf(parts)));
  }
  for (const [folder, { image, is }] of Object.entries(others)) {
    const name = versioned(image);
    await timed(name, is, async () => {
      const context = await contextOf(folder, lab, parts);
      await builder.run(["docker", "build", "--quiet", "--network=host", "--tag", name, context]);
    });
  }
  const clone = join(lab, "source");
  await copyProject(clone);
  writeFileSync(join(clone, "compose.override.yaml"), onHostNetwork());
  const names = ["vantage", "vantage-bird", "vantage-exchange", "vantage-keycloak", "vantage-vpn"];
  for (const [i, service] of builders.entries()) {
    await timed(`${names[i]}:${packageJson.version}`, "ours, by docker compose build", () =>
      builder.run(["docker", "compose", "--profile=*", "build", "--quiet", service], clone),
    );
  }
  return built;
}

/** As compose.yaml or the Dockerfile names it. */
function versioned(image: string): string {
  const texts = ["compose.yaml", "Dockerfile"].map((file) => readFileSync(join(project, file), "utf8"));
  const found = new RegExp(`\\b${image.replaceAll(".", "\\.")}:[\\w.-]+`).exec(texts.join("\n"))?.[0];
  if (found === undefined) {
    throw new LabError(`compose.yaml and Dockerfile name no version of ${image}`);
  }
  return found;
}

/** What Debian's image `slim` is without, now and after installing something. */
const slimRules = ["usr/share/doc/*", "usr/share/man/*", "usr/share/locale/*", "usr/share/info/*"];
const slim = [...slimRules.map((rule) => rule.replace("*", "*/*")), "var/lib/apt/lists/*", "var/cache/apt/*"];

async function importBase(builder: Machine, name: string, root: string): Promise<void> {
  const isThere = await builder.tried(["docker", "image", "inspect", name]);
  if (isThere.exitCode !== 0) {
    const left = slim.map((path) => `--exclude='./${path}'`).join(" ");
    const rules = `printf 'path-exclude=/%s\\n' ${slimRules.map((rule) => `'${rule}'`).join(" ")}`;
    const clean = `echo 'Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";' >"$1/etc/apt/apt.conf.d/docker-clean"`;
    await must(["sh", "-c", `${rules} >"$1/etc/dpkg/dpkg.cfg.d/docker"; ${clean}`, "sh", root]);
    await builder.run(`tar -C ${root} ${left} -c . | docker import - ${name}`);
  }
}

/** A network as builds on this machine have none of their own; and no variables, which a build does not need. */
function onHostNetwork(): string {
  return ["services:", ...builders.map((name) => `  ${name}: { build: { network: host } }`), ""].join("\n");
}

/** This tree as a clone of it would be, with what has not been committed yet. */
export async function copyProject(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const list = "git ls-files -z --cached --others --exclude-standard";
  await must(["sh", "-c", `cd "$1" && ${list} | tar --null -T - -c | tar -x -C "$2"`, "sh", project, folder]);
  cpSync(join(folder, "deploy/compose.env.example"), join(folder, ".env"));
}

/** The stand-in's files, and what it is made of. */
async function contextOf(name: string, lab: string, parts: Parts): Promise<string> {
  const context = join(lab, "contexts", name);
  rmSync(context, { recursive: true, force: true });
  cpSync(join(standIns, name), context, { recursive: true });
  const link = (from: string, to: string) => cpSync(from, join(context, to), { recursive: true });
  switch (name) {
    case "bun":
      link(process.execPath, "bun");
      link("/etc/ssl/certs/ca-certificates.crt", "host.crt");
      break;
    case "tailscale":
      for (const program of ["tailscale", "tailscaled"] as const) {
        link(parts.programs[program], program);
      }
      break;
    case "headscale":
      link(parts.programs.headscale, "headscale");
      break;
    case "kafka":
      link(parts.kafka, "libs");
      break;
    case "keycloak": {
      const [release = ""] = readdirSync(parts.keycloak).filter((entry) => !entry.endsWith(".zip"));
      link(join(parts.keycloak, release), "keycloak");
      break;
    }
    case "clickhouse":
      await storeInto(context, lab);
      break;
  }
  return context;
}

/** The built program with its library, and the front as one file. */
async function storeInto(context: string, lab: string): Promise<void> {
  const build = join(lab, "build");
  await must([process.execPath, join(project, "tests/build.ts"), build]);
  for (const file of ["vantage", "libchdb.so"]) {
    linkSync(join(build, file), join(context, file));
  }
  cpSync(process.execPath, join(context, "bun"));
  await must([
    process.execPath,
    "build",
    "--target=bun",
    storeFront,
    `--outfile=${join(context, "front.js")}`,
  ]);
}
