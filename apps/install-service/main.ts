/** `vantage install-service`: installs one of our services as a systemd unit, with its own user. */
import { type OptionValues, parseCommandLine, UsageError } from "../../lib/config/command-line.ts";
import { helpText } from "../../lib/config/help-text.ts";
import { printErrorLine, printLine } from "../../lib/terminal/output.ts";
import { describeStep, doStep, type Step, stepsOf } from "./install.ts";
import { type Service, services } from "./services.ts";
import { ownerName, stateFolder, unitName } from "./unit.ts";

const exitCodes = { ok: 0, failure: 1, usage: 2 } as const;
const name = "install-service";

export const words = services.map((service) => service.name);
export const options = {
  config: {
    type: "string",
    short: "c",
    values: "file",
    value: "FILE",
    meaning: "its configuration (default: /etc/vantage/SERVICE.yaml; ingester: .env)",
  },
  executable: {
    type: "string",
    values: "file",
    value: "FILE",
    meaning: "what the unit starts (default: this executable)",
  },
  root: {
    type: "string",
    values: "folder",
    value: "DIR",
    meaning: "write below DIR, for an image; systemd is not notified",
  },
  print: { type: "boolean", meaning: "print the files to standard output; change nothing" },
  "dry-run": { type: "boolean", meaning: "say what would be done; change nothing" },
} as const;

interface Order {
  readonly service: Service;
  readonly steps: readonly Step[];
  readonly config: string;
  readonly mode: "install" | "print" | "dry";
}

/** Runs the command with the arguments behind its name; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseCommandLine<typeof options, Order>(args, { options, check });
  if (parsed.kind === "help") {
    printLine(helpText({ name, purpose: "run a service by systemd", usage, options, more }));
    return exitCodes.ok;
  }
  if (parsed.kind === "wrong") {
    printErrorLine(`vantage ${name}: ${parsed.message} (see: vantage ${name} --help)`);
    return exitCodes.usage;
  }
  try {
    work[parsed.options.mode](parsed.options);
    return exitCodes.ok;
  } catch (error) {
    printErrorLine(`vantage ${name}: ${error instanceof Error ? error.message : String(error)}`);
    return exitCodes.failure;
  }
}

const work: Readonly<Record<Order["mode"], (order: Order) => void>> = {
  print: ({ steps }) => {
    for (const step of steps) {
      if (step.kind === "write") {
        printLine(`# ${step.path}\n${step.text}`);
      }
    }
  },
  dry: ({ steps }) => {
    for (const step of steps) {
      printLine(describeStep(step));
    }
  },
  install: ({ service, steps, config }) => {
    for (const step of steps) {
      doStep(step);
      printLine(describeStep(step));
    }
    printLine(next(service, config));
  },
};

function next(service: Service, config: string): string {
  const unit = unitName(service);
  const readable = `chgrp ${service.group ?? unit} ${config} && chmod 640 ${config}`;
  return [
    `Keeps its state in ${stateFolder(service)}. To go on:`,
    ...(service.config !== null ? [`  ${readable}    # for its user alone: it may hold secrets`] : []),
    ...(service.group === null ? [] : ["  chgrp bird /etc/bird && chmod 2775 /etc/bird"]),
    `  systemctl enable --now ${unit}`,
  ].join("\n");
}

const usage = `${words.join("|")} [options]`;
const more = `\
The service gets a user without privileges, vantage-SERVICE, and sees nothing of the machine that it does not need;
the agent alone has a capability, CAP_NET_RAW. Settings of your own belong into "systemctl edit vantage-SERVICE".
Run again after the executable has moved, or to change --config; the service must be started again then.

Examples
  vantage install-service agent --print
  vantage install-service probing-gateway --config /etc/vantage/gateway.yaml

Exit codes: 0 done, 1 failure, 2 wrong usage.`;

function check(values: OptionValues<typeof options>, positionals: readonly string[]): Order {
  const [word = "", ...rest] = positionals;
  const service = services.find((one) => one.name === word);
  if (service === undefined || rest.length > 0) {
    throw new UsageError(`Give one service: ${words.join(", ")}`);
  }
  if (service.config === null && values.config !== undefined) {
    throw new UsageError(`The ${service.name} has no configuration file; set its variables in the unit`);
  }
  const config = checkedPath(
    "--config",
    values.config ?? `/etc/vantage/${ownerName(service)}.${service.config ?? "yaml"}`,
  );
  const executable = checkedPath("--executable", values.executable ?? ownExecutable());
  const root = checkedPath("--root", values.root ?? "/");
  const mode = values.print === true ? "print" : values["dry-run"] === true ? "dry" : "install";
  return { service, config, mode, steps: stepsOf(service, { executable, config }, root) };
}

/** A unit would read spaces, quotes, `%`, `$` and `\` as its own. */
function checkedPath(option: string, path: string): string {
  if (!/^\/[\w./@+:-]*$/.test(path)) {
    throw new UsageError(`${option} must be an absolute path of letters, digits and . / _ @ + : -`);
  }
  return path;
}

/** Programs that `bun build --compile` made have their files below `/$bunfs` (Bun 1.4.5). */
function ownExecutable(): string {
  if (!Bun.main.startsWith("/$bunfs/")) {
    throw new UsageError("Give --executable FILE: this is not a standalone executable (see: npm run build)");
  }
  return process.execPath;
}
