/** `vantage exchange`: the configuration of an exchange server, and its status. */
import { printLine } from "../../../lib/base/terminal/output.ts";
import { printRows } from "../../../lib/base/terminal/print-rows.ts";
import { defineCommand, defineGroup, subcommand } from "../../../lib/command/command/command.ts";
import { neededConfig } from "../../../lib/command/command/config-option.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { formatOption } from "../../../lib/command/command/format-option.ts";
import { file, folder, url } from "../../../lib/command/command/kinds.ts";
import { readConfigSource } from "../../../lib/engines/config/config-source.ts";
import { defaultPorts } from "../../../lib/engines/config/default-ports.ts";
import { checkExchange } from "./check.ts";
import { exchangeConf } from "./exchange-conf.ts";
import { writeFiles } from "./render.ts";
import { type ExchangeSettings, readSettings } from "./settings.ts";
import { readStatus, statusColumns } from "./status.ts";

const config = { ...neededConfig, meaning: "the settings: docs/operate/exchange.md" } as const;

const render = defineCommand({
  options: {
    config,
    out: { kind: folder, meaning: "write every file there; without, BIRD's goes to standard output" },
  },
  arguments: {},
  examples: ["vantage exchange render -c exchange.yaml --out /etc/bird && birdc configure"],
  exits: { usage: "wrong usage or settings" },
  act: ({ config: path, out }) => {
    const settings = settingsIn(path);
    printLine(out === null ? exchangeConf(settings).trimEnd() : writeFiles(settings, out).join("\n"));
    return exitCodes.ok;
  },
});

const check = defineCommand({
  options: {
    config,
    installed: { kind: file, meaning: "compare with the configuration that BIRD runs with" },
  },
  arguments: {},
  examples: ["vantage exchange check -c exchange.yaml --installed /etc/bird/bird.conf"],
  exits: { ok: "good", failure: "something is not good", usage: "wrong usage or settings" },
  act: async ({ config: path, installed }) => {
    const findings = await checkExchange(settingsIn(path), installed);
    for (const { isGood, isWarning = false, text } of findings) {
      printLine(`${isGood ? "good" : isWarning ? "warn" : "BAD "}  ${text}`);
    }
    const isGood = findings.every((finding) => finding.isGood || finding.isWarning === true);
    return isGood ? exitCodes.ok : exitCodes.failure;
  },
});

const status = defineCommand({
  options: {
    url: {
      kind: url,
      default: `http://127.0.0.1:${defaultPorts.policyGenerator}`,
      meaning: "the policy generator",
    },
    ...formatOption,
  },
  arguments: {},
  examples: ["vantage exchange status", "vantage exchange status -o json"],
  act: async ({ url: generator, output }) => {
    printRows(statusColumns, await readStatus(generator), output);
    return exitCodes.ok;
  },
});

export const command = defineGroup({
  subcommands: [
    subcommand("render", "make the configuration of BIRD and of the VPN from the settings", render),
    subcommand("check", "check the settings, and what is installed", check),
    subcommand("status", "show sessions and routes, as the policy generator sees them", status),
  ],
  examples: [
    "vantage exchange check -c exchange.yaml --installed /etc/bird/bird.conf",
    "vantage exchange render -c exchange.yaml --out /etc/bird && birdc configure",
    "vantage exchange status",
  ],
});

function settingsIn(path: string): ExchangeSettings {
  return readSettings(readConfigSource(path), process.env);
}
