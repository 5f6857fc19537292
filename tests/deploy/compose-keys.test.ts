/** Each variable for Vantage in compose.yaml is a key that the program which gets it knows. */
import { expect, test } from "bun:test";
import { bootstrapSchema } from "../../apps/peering/bootstrap/config-schema.ts";
import { collectorSchema } from "../../apps/peering/collector/config.ts";
import { exchangeSchema } from "../../apps/peering/exchange/settings.ts";
import { gatewayConfigSchema as peeringSchema } from "../../apps/peering/gateway/config-schema.ts";
import { generatorSchema } from "../../apps/peering/generator/config-schema.ts";
import { agentConfigSchema } from "../../apps/probing/agent/config/config-schema.ts";
import { gatewayConfigSchema as probingSchema } from "../../apps/probing/gateway/config-schema.ts";
import { loginSchema } from "../../lib/engines/config/environment-login.ts";
import { type ConfigSchema, type Shape, shapeOf } from "../../lib/engines/config/shape.ts";
import { exampleVariables, isOurs, readCompose } from "./compose-file.ts";

const compose = readCompose(exampleVariables());

type Program = readonly [schema: ConfigSchema, prefix: string, others: readonly string[]];

/** By the first word of its command: the schema, the start of its variables, and others that it takes. */
const programs: Readonly<Record<string, Program>> = {
  agent: [agentConfigSchema, "VANTAGE_", []],
  "probing-gateway": [probingSchema, "VANTAGE_", []],
  "peering-gateway": [peeringSchema, "VANTAGE_", []],
  "policy-generator": [generatorSchema, "VANTAGE_POLICY_", []],
  collector: [collectorSchema, "VANTAGE_COLLECTOR_", []],
  exchange: [exchangeSchema, "VANTAGE_EXCHANGE_", []],
  // The ingester, which has no file.
  stack: [loginSchema, "VANTAGE_", []],
  bootstrap: [bootstrapSchema, "VANTAGE_BOOTSTRAP_", ["USER_ASN", "USER_PREFIXES", "XDG_CONFIG_HOME"]],
};

const ours = Object.entries(compose.services).filter(
  ([, service]) => isOurs(service) && Object.keys(service.environment).length > 0,
);

test("all programs with variables are looked at", () => {
  expect(new Set(ours.map(([, { command }]) => command[0]))).toEqual(new Set(Object.keys(programs)));
});

test.each(ours)("%s", (_name, { command, environment }) => {
  const [schema, prefix, others]: Program = programs[command[0] ?? ""] ?? [probingSchema, "", []];
  const unknown = Object.keys(environment).filter(
    (variable) => !others.includes(variable) && !isKey(shapeOf(schema), variable, prefix),
  );
  expect(unknown).toEqual([]);
});

test("a misspelt one is found", () => {
  const shape = shapeOf(probingSchema);
  expect(isKey(shape, "VANTAGE_GATEWAY__ADDRESS", "VANTAGE_")).toBe(true);
  expect(isKey(shape, "VANTAGE_GATEWAY__ADRESS", "VANTAGE_")).toBe(false);
  expect(isKey(shape, "VANTAGE_GATWAY__ADDRESS", "VANTAGE_")).toBe(false);
  expect(isKey(shape, "VANTAGE_GATEWAY__ADRESS_FILE", "VANTAGE_")).toBe(false);
});

function isKey(shape: Shape, variable: string, prefix: string): boolean {
  const levels = variable.slice(prefix.length).toLowerCase().split("__");
  return variable.startsWith(prefix) && (holds(shape, levels) || holds(shape, withoutFile(levels)));
}

function withoutFile(levels: readonly string[]): string[] {
  return levels.map((level, i) => (i === levels.length - 1 ? level.replace(/_file$/, "") : level));
}

function holds(shape: Shape, [level, ...rest]: readonly string[]): boolean {
  if (level === undefined) {
    return shape.kind !== "section";
  }
  const next =
    shape.kind === "section" ? shape.entries.get(level) : shape.kind === "list" ? shape.item : undefined;
  return next !== undefined && holds(next, rest);
}
