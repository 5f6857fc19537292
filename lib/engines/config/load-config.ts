/**
 * Reads a configuration: YAML, then the environment over it, checked against a schema as a whole.
 *
 * All problems are reported at once, each with file and line or the name of the variable, so that one start shows them
 * all.
 */
import * as v from "valibot";
import { ConfigError } from "./config-error.ts";
import type { Draft, Path } from "./draft.ts";
import { type Environment, overrideBy } from "./environment.ts";
import { issueReason, type TypeNames } from "./issue-reason.ts";
import { type ConfigSchema, shapeOf } from "./shape.ts";
import { type Aliases, readYaml, type YamlSource } from "./yaml-file.ts";

interface ConfigOrder<Schema extends ConfigSchema> {
  readonly schema: Schema;
  readonly source: YamlSource;
  readonly environment: Environment;
  /** Prefixes of the variables that are read: `["VANTAGE_"]`. */
  readonly environmentPrefixes: readonly string[];
  readonly aliases?: Aliases;
  /** Keys of other programs that share the file or the environment; any other unknown key is refused. */
  readonly passedOver?: readonly string[];
  /** Checks across several keys; run when every single key is valid. */
  readonly contradictions?: (config: v.InferOutput<Schema>) => readonly Contradiction[];
}

export interface Contradiction {
  readonly path: Path;
  readonly reason: string;
}

/** Throws ConfigError. */
export function loadConfig<Schema extends ConfigSchema>(order: ConfigOrder<Schema>): v.InferOutput<Schema> {
  const { schema, source, environment, environmentPrefixes, aliases = {}, passedOver = [] } = order;
  const shape = shapeOf(schema);
  const draft = readYaml(source, shape, { aliases, passedOver });
  if (draft.problems.length === 0) {
    overrideBy(environment, environmentPrefixes, draft, shape, aliases);
  }
  const checked = v.safeParse(schema, draft.root);
  for (const issue of checked.issues ?? []) {
    const path = (issue.path ?? []).map(({ key }) => key as string | number);
    explain(draft, schema, path, issue);
  }
  if (draft.problems.length === 0 && checked.success) {
    for (const { path, reason } of order.contradictions?.(checked.output) ?? []) {
      draft.fail(path, reason);
    }
  }
  if (draft.problems.length > 0 || !checked.success) {
    throw new ConfigError(draft.problems);
  }
  return checked.output;
}

const typeNames: TypeNames = {
  string: "text",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  Array: "a list",
  object: "a section of keys",
  Object: "a section of keys",
};

function explain(draft: Draft, schema: ConfigSchema, path: Path, issue: v.BaseIssue<unknown>): void {
  // An unreadable file lacks every key, so missing keys are not reported.
  if (draft.problems.some(({ key }) => key === "" || key === path.join("."))) {
    return;
  }
  draft.fail(path, issueReason(issue, typeNames, schema));
}
