/**
 * compose.yaml as data: YAML with its merges, variables put in as the Compose specification says, each service in the
 * words that tests ask for. What is not asked for here is held to the specification's own schema alone.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { parse } from "yaml";

export const projectRoot = join(import.meta.dirname, "../..");

const text = v.pipe(v.union([v.string(), v.number(), v.boolean()]), v.transform(String));
const secret = v.union([
  v.pipe(
    v.string(),
    v.transform((source) => ({ source, target: `/run/secrets/${source}` })),
  ),
  v.object({ source: v.string(), target: v.string() }),
]);

const service = v.object({
  /** Without: of compose.client.yaml, which has nothing else. */
  profiles: v.optional(v.array(v.string()), ["client"]),
  image: v.string(),
  build: v.optional(v.object({ target: v.string() })),
  user: v.optional(v.string()),
  entrypoint: v.optional(v.array(v.string())),
  command: v.optional(v.array(v.string()), []),
  environment: v.optional(v.record(v.string(), text), {}),
  secrets: v.optional(v.array(secret), []),
  volumes: v.optional(v.array(v.string()), []),
  tmpfs: v.optional(v.array(v.string()), []),
  read_only: v.boolean(),
  privileged: v.optional(v.boolean(), false),
  cap_add: v.optional(v.array(v.string()), []),
  cap_drop: v.array(v.string()),
  security_opt: v.array(v.string()),
  sysctls: v.optional(v.record(v.string(), text), {}),
  network_mode: v.optional(v.string()),
  networks: v.optional(
    v.union([v.array(v.string()), v.record(v.string(), v.nullable(v.looseObject({})))]),
    [],
  ),
  ports: v.optional(v.array(v.string()), []),
  depends_on: v.optional(v.record(v.string(), v.object({ condition: v.string() })), {}),
  healthcheck: v.optional(v.object({ test: v.array(v.string()), start_period: v.string() })),
  logging: v.object({ options: v.record(v.string(), text) }),
  restart: v.string(),
});

const file = v.object({
  services: v.record(v.string(), service),
  networks: v.optional(
    v.record(
      v.string(),
      v.object({
        internal: v.optional(v.boolean(), false),
        ipam: v.optional(v.object({ config: v.array(v.object({ subnet: v.string() })) })),
      }),
    ),
    {},
  ),
  volumes: v.record(v.string(), v.null()),
  secrets: v.optional(v.record(v.string(), v.object({ file: v.string() })), {}),
});

export type ComposeService = v.InferOutput<typeof service>;
export type ComposeFile = v.InferOutput<typeof file>;
type Variables = Readonly<Record<string, string>>;

const files = ["compose.yaml", "compose.client.yaml"] as const;

function composeText(name: (typeof files)[number]): string {
  return readFileSync(join(projectRoot, name), "utf8");
}

export function composeTexts(): string[] {
  return files.map(composeText);
}

/** With its anchors and merges resolved, and variables as they stand. */
export function parseCompose(source: string): unknown {
  return parse(source, { merge: true });
}

/**
 * Both files as one: no service or volume is in both. Throws Error when a variable that must be set is not, or a file
 * is not ours.
 */
export function readCompose(variables: Variables, sources = composeTexts()): ComposeFile {
  const read = sources.map((source) => v.parse(file, substituted(parseCompose(source), variables)));
  const all = (part: keyof ComposeFile) => Object.assign({}, ...read.map((one) => one[part]));
  return v.parse(file, {
    ...{ services: all("services"), networks: all("networks") },
    ...{ volumes: all("volumes"), secrets: all("secrets") },
  });
}

/** Those of `deploy/compose.env.example`. */
export function exampleVariables(): Record<string, string> {
  const lines = readFileSync(join(projectRoot, "deploy/compose.env.example"), "utf8").split("\n");
  return Object.fromEntries(
    lines
      .filter((line) => /^\w+=/.test(line))
      .map((line): [string, string] => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}

/** Names of the variables that a text asks for. */
export function variablesIn(source: string): Set<string> {
  return new Set([...source.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name = ""]) => name));
}

function substituted(node: unknown, variables: Variables): unknown {
  if (typeof node === "string") {
    return substitutedText(node, variables);
  }
  if (Array.isArray(node)) {
    return node.map((entry) => substituted(entry, variables));
  }
  if (typeof node === "object" && node !== null) {
    const entries = Object.entries(node);
    return Object.fromEntries(entries.map(([key, value]) => [key, substituted(value, variables)]));
  }
  return node;
}

/** `$$`, `${NAME}`, `${NAME:-otherwise}`, `${NAME:?complaint}`; what stands for a variable may hold another. */
function substitutedText(source: string, variables: Variables): string {
  const pattern = /\$\$|\$\{(\w+)(?:(:-|:\?)((?:\$\{\w+\}|[^{}])*))?\}/g;
  return source.replaceAll(pattern, (whole, name?: string, operator?: string, rest = "") => {
    if (name === undefined) {
      return "$";
    }
    const value = variables[name] ?? "";
    if (value !== "" || operator === undefined) {
      return value;
    }
    if (operator === ":?") {
      throw new Error(`The variable ${name} ${rest} (${whole})`);
    }
    return substitutedText(rest, variables);
  });
}

/** Whether the image is made from our Dockerfile and runs what this repository holds. */
export function isOurs({ image }: ComposeService): boolean {
  return isOwnImage(image) && !/^vantage-(vpn|grafana|keycloak):/.test(image);
}

/** Whether the image is made from our Dockerfile. */
export function isOwnImage(image: string): boolean {
  return /^vantage(-\w+)?:/.test(image);
}

/** The stage of the Dockerfile that an image is. */
export function stageOf(image: string): string {
  return /^vantage-(\w+):/.exec(image)?.[1] ?? "vantage";
}
