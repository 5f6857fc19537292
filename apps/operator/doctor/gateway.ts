/** Determines which gateway a configuration is for; each gateway provides its own checks. */
import { basename } from "node:path";
import { misconfigured, sourceIn } from "../../../lib/command/checkup/configuration.ts";
import type { Finding } from "../../../lib/command/checkup/finding.ts";
import { type ConfiguredGateway, examineGateway as examine } from "../../../lib/command/checkup/gateway.ts";
import { ConfigError } from "../../../lib/engines/config/config-error.ts";
import type { Environment } from "../../../lib/engines/config/environment.ts";
import type { YamlSource } from "../../../lib/engines/config/yaml-file.ts";
import { peeringGateway } from "../../peering/gateway/checkup.ts";
import { probingGateway } from "../../probing/gateway/checkup.ts";
import { noFile } from "./no-file.ts";

type Read = (source: YamlSource, environment: Environment) => ConfiguredGateway;
const gateways: Readonly<Record<ConfiguredGateway["kind"], Read>> = {
  probing: probingGateway,
  peering: peeringGateway,
};

export async function examineGateway(file: string, environment: Environment): Promise<Finding[]> {
  const name = file === noFile ? variables : file;
  let configured: ConfiguredGateway;
  try {
    configured = read(file === noFile ? { name, text: "" } : sourceIn(file), environment);
  } catch (error) {
    return misconfigured(
      error,
      "docs/reference/probing-gateway-configuration.md or docs/reference/peering-gateway-configuration.md",
    );
  }
  return await examine(name, configured);
}

/** In place of a file's name. */
const variables = "variables";
/** Sections that only a peering gateway has. */
const peeringVariable = /^VANTAGE_(ANNOUNCEMENTS|ASNS|EMAIL|LEASES|RPKI|SERVICE|SUBJECTS)__/;

/**
 * The gateway: from the file's name, without a file from the variables, else from the schema that fits better. Throws
 * the configuration's errors.
 */
function read(source: YamlSource, environment: Environment): ConfiguredGateway {
  const all = Object.entries(gateways);
  const isPeering = Object.keys(environment).some((name) => peeringVariable.test(name));
  const byVariables = isPeering ? "peering" : "probing";
  const name = source.name === variables ? byVariables : basename(source.name);
  const named = all.filter(([kind]) => name.startsWith(kind));
  const tries = (named.length === 0 ? all : named).map(([, one]) => attempt(one, source, environment));
  const best = tries.toSorted((a, b) => a.problems - b.problems)[0];
  if (best?.configured == null) {
    throw best?.error ?? new Error(`Cannot read ${source.name}`);
  }
  return best.configured;
}

interface Attempt {
  readonly configured: ConfiguredGateway | null;
  readonly problems: number;
  readonly error: unknown;
}

function attempt(one: Read, source: YamlSource, environment: Environment): Attempt {
  try {
    return { configured: one(source, environment), problems: 0, error: null };
  } catch (error) {
    return { configured: null, problems: error instanceof ConfigError ? error.problems.length : 1, error };
  }
}
