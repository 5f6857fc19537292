/**
 * An agent's active instances: the file's, with the operator's changes at the gateway applied over them.
 *
 * Each changed value is checked separately. A bad value is not applied and is reported with the reason; the file's
 * value stays. Pure.
 */
import * as v from "valibot";
import { desiredInstanceSchema, sourcePrefix } from "../../../../lib/measuring/probing/agent-config.ts";
import { refusalsMax } from "../../../../lib/measuring/probing/limits.ts";
import type { Prefix } from "../../../../lib/net/ip/prefix.ts";
import type { Instance } from "../instances.ts";
import { rateProbesPerSecMax } from "../limits.ts";
import type { GatewayOrders } from "./orders.ts";

interface EffectiveInstance {
  readonly name: string;
  readonly rateProbesPerSec: number;
  /** IPv4 first. */
  readonly prefixes: readonly Prefix[];
  readonly isPaused: boolean;
}

export interface Refusal {
  readonly instance: string;
  readonly key: string;
  readonly reason: string;
}

export interface EffectiveConfig {
  /** In the order of the file. */
  readonly instances: readonly EffectiveInstance[];
  readonly refused: readonly Refusal[];
}

type Wanted = Readonly<Record<string, unknown>>;

export function effectiveConfig(
  instances: readonly Instance[],
  desired: GatewayOrders["desired"],
): EffectiveConfig {
  const strangers = Object.keys(desired).filter((wanted) => instances.every(({ name }) => name !== wanted));
  const refused = strangers.map((instance) => ({
    instance,
    key: "name",
    reason: "this agent has no instance of that name",
  }));
  const results = instances.map((instance) => overlay(instance, desired[instance.name] ?? {}));
  return {
    instances: results.map(({ instance }) => instance),
    refused: [...refused, ...results.flatMap((result) => result.refused)].slice(0, refusalsMax),
  };
}

function overlay(file: Instance, wanted: Wanted) {
  const problems = Object.entries(wanted).flatMap(([key, value]) => {
    const reason = problemOf(key, value);
    return reason === null ? [] : [{ instance: file.name, key, reason }];
  });
  const usable = Object.entries(wanted).filter(([key]) => problems.every((problem) => problem.key !== key));
  const values = v.parse(desiredInstanceSchema, Object.fromEntries(usable));
  const instance: EffectiveInstance = {
    name: file.name,
    rateProbesPerSec: values.probing_rate ?? file.rateProbesPerSec,
    prefixes: [
      ...prefixesOf(file, 4, values.src_ipv4_prefix),
      ...prefixesOf(file, 6, values.src_ipv6_prefix),
    ],
    isPaused: values.paused ?? false,
  };
  return { instance, refused: problems };
}

function problemOf(key: string, value: unknown): string | null {
  const schema = Object.entries(desiredInstanceSchema.entries).find(([name]) => name === key)?.[1];
  if (schema === undefined) {
    return "this version of the agent does not support it";
  }
  const result = v.safeParse(schema, value);
  if (!result.success) {
    return result.issues[0].message;
  }
  return key === "probing_rate" && Number(value) > rateProbesPerSecMax
    ? `must be at most ${rateProbesPerSecMax} packets/s`
    : null;
}

/** Undefined = as in the file; null = no prefix of this family. */
function prefixesOf(file: Instance, family: 4 | 6, wanted: string | null | undefined): Prefix[] {
  if (wanted === undefined) {
    return file.prefixes.filter((prefix) => prefix.family === family);
  }
  const prefix = wanted === null ? null : sourcePrefix(wanted);
  return prefix === null ? [] : [prefix];
}
