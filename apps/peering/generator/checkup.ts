/** The policy generator beside an exchange server's BIRD: its configuration, its answers, its folders. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { sourceIn } from "../../../lib/command/checkup/configuration.ts";
import type { Look } from "../../../lib/command/checkup/examine.ts";
import { type Finding, fail, messageOf, ok, warn } from "../../../lib/command/checkup/finding.ts";
import { diskSpace } from "../../../lib/command/checkup/host/disk.ts";
import { ask, clock, jsonOf, localUrl, service } from "../../../lib/command/checkup/net/web.ts";
import { type Environment, hasVariables } from "../../../lib/engines/config/environment.ts";
import { setsNothing } from "../../../lib/engines/config/yaml-file.ts";
import { type GeneratorConfig, readGeneratorConfig } from "./config.ts";

const generatorStart = "systemctl start vantage-policy-generator, or: vantage policy-generator -c FILE";

interface Configured {
  readonly config: GeneratorConfig | null;
  readonly finding: Finding;
}

/** `file`: the exchange server's; the generator's lies beside it. */
export function generatorBeside(file: string, environment: Environment) {
  const beside = join(dirname(file), "policy-generator.yaml");
  const { config, finding } = configurationAt(beside, environment);
  return {
    findings: [finding],
    looks: config === null ? [] : generatorLooks(config),
    controlSocket: config?.daemon.controlSocket ?? null,
    checkCommand: config?.daemon.checkCommand ?? null,
  };
}

const what = "generator's configuration";

function unset(why: string): Configured {
  const next = "put the policy generator's configuration there; users are let in by it alone";
  return { config: null, finding: warn(what, `${why}, so the generator is not checked`, next) };
}

function configurationAt(path: string, environment: Environment): Configured {
  if (!existsSync(path)) {
    return unset(`${path} is missing`);
  }
  try {
    const source = sourceIn(path);
    if (setsNothing(source) && !hasVariables(environment)) {
      return unset(`${path} has only comments`);
    }
    const config = readGeneratorConfig(source, environment);
    return { config, finding: ok(what, path) };
  } catch (error) {
    const next = "docs/reference/policy-generator-configuration.md has every key";
    return { config: null, finding: fail(what, messageOf(error), next) };
  }
}

function generatorLooks(generator: GeneratorConfig): Look[] {
  const url = localUrl(generator.listen);
  return [
    { what: "policy generator", see: () => service("policy generator", url, generatorStart) },
    ...(url === null
      ? []
      : [{ what: "active policy", see: () => policyInForce(url), otherwise: generatorStart }]),
    {
      what: "clock",
      see: () => clock(generator.gateway.url),
      otherwise: "see: gateway.url of the generator",
    },
    { what: "generator's folder", see: () => diskSpace("generator's folder", generator.stateDir) },
    {
      what: "policy's folder",
      see: () => diskSpace("policy's folder", dirname(generator.daemon.policyFile)),
    },
  ];
}

async function policyInForce(url: string): Promise<Finding> {
  const what = "active policy";
  const { status, text } = await ask(`${url}/policy`);
  const body = jsonOf(text) as { reject_all?: boolean; failure?: string | null; users?: unknown[] };
  if (status !== 200) {
    return warn(what, `${url}/policy answers with status ${status}`, "ask from an operator's network");
  }
  if (typeof body.failure === "string") {
    return fail(what, body.failure, "the previous policy stays active; repair what it reports");
  }
  return body.reject_all === true
    ? fail(
        what,
        "no user may announce anything: the known data are too old",
        "see the policy generator's health",
      )
    : ok(what, `${body.users?.length ?? 0} users may announce what they lease; ${await agesOf(url)}`);
}

/** Age of the policy's sources. */
async function agesOf(url: string): Promise<string> {
  const body = jsonOf((await ask(`${url}/health`)).text) as {
    data_age_seconds?: Record<string, number | null>;
  };
  const { gateway, vpn: devices } = body.data_age_seconds ?? {};
  const age = (seconds: number | null = null) => (seconds === null ? "of unknown age" : `${seconds} s old`);
  return `leases are ${age(gateway)}, devices ${age(devices)}`;
}
