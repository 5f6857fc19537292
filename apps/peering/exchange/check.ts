/** `vantage exchange check`: finds problems of an exchange server's configuration before a daemon does. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFailure } from "../../../lib/base/failure/failure.ts";
import { checkParse, installedBird } from "../../../lib/peering/bird/parse-check.ts";
import {
  type BirdVersion,
  birdVersionOf,
  isSupported,
  isUpToDate,
  namesPmsiTunnel,
  unknownAttributesOf,
} from "../../../lib/peering/bird/version.ts";
import { rejectAll } from "../../../lib/peering/policy/policy.ts";
import { policyText } from "../../../lib/peering/policy/policy-text.ts";
import { exchangeConf } from "./exchange-conf.ts";
import type { ExchangeSettings } from "./settings.ts";

interface Finding {
  readonly isGood: boolean;
  /** It works, but the advice should be followed. */
  readonly isWarning?: boolean;
  /** A warning of something that may fail: `vantage doctor` shows it too. */
  readonly isRisk?: boolean;
  /** The thing checked, and the next step where it failed. */
  readonly text: string;
}

/** `installed`: the file that BIRD runs with; null = not compared. */
export async function checkExchange(
  settings: ExchangeSettings,
  installed: string | null,
): Promise<Finding[]> {
  const conf = exchangeConf(settings);
  return [
    await readable(settings, conf),
    ...(await birdFindings(settings)),
    ...(installed === null ? [] : [upToDate(conf, installed)]),
    policyPresent(settings),
    tunnelPresent(settings),
  ];
}

/** Checks with this machine's `bird`, with the active policy, or the one without users. */
async function readable({ exchange }: ExchangeSettings, conf: string): Promise<Finding> {
  const folder = mkdtempSync(join(tmpdir(), "vantage-exchange-"));
  try {
    const policy = existsSync(exchange.policy_file)
      ? readFileSync(exchange.policy_file, "utf8")
      : policyText(rejectAll).text;
    writeFileSync(join(folder, "policy.conf"), policy, { mode: 0o600 });
    const beside = conf.replace(`include "${exchange.policy_file}";`, 'include "policy.conf";');
    writeFileSync(join(folder, "bird.conf"), beside, { mode: 0o600 });
    await checkParse("bird", join(folder, "bird.conf"));
    return { isGood: true, text: "BIRD reads the configuration" };
  } catch (error) {
    if (isFailure(error, "daemon")) {
      const text = error.message
        .replaceAll(join(folder, "policy.conf"), exchange.policy_file)
        .replaceAll(join(folder, "bird.conf"), "the rendered configuration");
      return { isGood: false, text };
    }
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Findings about this machine's `bird`; empty without one, which its parser has reported already. */
async function birdFindings({ exchange: { bird_version: wanted } }: ExchangeSettings): Promise<Finding[]> {
  const text = await installedBird();
  const version = text === null ? null : birdVersionOf(text);
  if (text === null || version === null) {
    return [];
  }
  const old = `BIRD ${text} has known holes: use 2.19 or newer of the second line`;
  const passes = unknownAttributesOf(version) === "pass";
  const passed =
    `BIRD ${text} passes on attributes that it has no name for, until the policy generator has suspended who
    sends them; 2.14 and newer clear them, BIRD 3 refuses their routes`.replaceAll(/\s+/g, " ");
  const other =
    `exchange.bird_version is ${wanted}, BIRD here is ${text}: set it, render again, and unknown attributes
    are treated as this BIRD can`.replaceAll(/\s+/g, " ");
  const configured = birdVersionOf(wanted) ?? [0, 0, 0];
  const differs = treatmentBy(configured) !== treatmentBy(version);
  return [
    isUpToDate(version)
      ? { isGood: true, text: `BIRD ${text} has no known vulnerability` }
      : { isGood: false, isWarning: true, text: old },
    ...(isSupported(version) ? [] : [unsupported(text)]),
    ...(passes ? [{ isGood: false, isWarning: true, text: passed }] : []),
    // A configuration that says more than this BIRD can read, or change, is none; one that says less works.
    ...(differs
      ? [{ isGood: false, isWarning: unknownAttributesOf(configured) === "pass", text: other }]
      : []),
  ];
}

function unsupported(version: string): Finding {
  const faults = "it may end when next hops are lost, and leave users' sessions unopened for minutes";
  const text = `BIRD ${version} is not supported on an exchange server: ${faults}; use the newest 2.x`;
  return { isGood: false, isWarning: true, isRisk: true, text };
}

/** What a configuration for this version does with attributes. */
function treatmentBy(version: BirdVersion): string {
  return `${unknownAttributesOf(version)} ${namesPmsiTunnel(version)}`;
}

function upToDate(conf: string, installed: string): Finding {
  const isThere = existsSync(installed);
  const isGood = isThere && readFileSync(installed, "utf8") === conf;
  const advice = "run vantage exchange render, then birdc configure";
  const wrong = isThere ? "is not what the settings give" : "is missing";
  return {
    isGood,
    text: isGood ? `${installed} is what the settings give` : `${installed} ${wrong}: ${advice}`,
  };
}

function policyPresent({ exchange: { policy_file: file } }: ExchangeSettings): Finding {
  return existsSync(file)
    ? { isGood: true, text: `${file} is there` }
    : {
        isGood: false,
        text: `${file} is missing: run vantage policy-generator, or copy the one that render writes`,
      };
}

function tunnelPresent({ exchange: { tunnel_device: device } }: ExchangeSettings): Finding {
  return existsSync(`/sys/class/net/${device}`)
    ? { isGood: true, text: `the VPN's device ${device} is there` }
    : {
        isGood: false,
        text: `the VPN's device ${device} is missing: start the VPN, or set exchange.tunnel_device`,
      };
}
