/** `vantage install-service`: installs one of our services as a systemd unit, with its own user. */
import { printLine } from "../../../lib/base/terminal/output.ts";
import { defineCommand } from "../../../lib/command/command/command.ts";
import { wrongUsage } from "../../../lib/command/command/command-error.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { choice, folder } from "../../../lib/command/command/kinds.ts";
import { executableOf, executableOption, unitPath } from "./executable.ts";
import { describeStep, doStep, type Step, stepsOf } from "./install.ts";
import { type Service, services } from "./services.ts";
import { ownerName, stateFolder, unitName } from "./unit.ts";

const names = services.map((service) => service.name);

export const command = defineCommand({
  about: `The service gets a user without privileges, vantage-SERVICE, and sees nothing of the machine that it \
does not need; the agent alone has a capability, CAP_NET_RAW. Settings of your own belong into "systemctl edit \
vantage-SERVICE". Run again after the executable has moved, or to change --config; the service must be started \
again then.`,
  options: {
    config: {
      kind: unitPath,
      short: "c",
      defaultText: "/etc/vantage/SERVICE.yaml; ingester: .env",
      meaning: "its configuration",
    },
    executable: executableOption,
    root: {
      kind: { ...unitPath, placeholder: folder.placeholder, values: folder.values },
      default: "/",
      meaning: "write below DIR, for an image; systemd is not notified",
    },
    print: { flag: true, default: false, meaning: "print the files to standard output; change nothing" },
    dryRun: { flag: true, default: false, meaning: "print what would be done; change nothing" },
  },
  arguments: { service: { kind: choice(names, "SERVICE"), required: true, meaning: names.join(", ") } },
  examples: [
    "vantage install-service agent --print",
    "vantage install-service probing-gateway --config /etc/vantage/gateway.yaml",
  ],
  exits: { usage: "wrong usage" },
  act: (given) => {
    const order = orderOf(given);
    work[order.mode](order);
    return exitCodes.ok;
  },
});

interface Order {
  readonly service: Service;
  readonly steps: readonly Step[];
  readonly config: string;
  readonly mode: "install" | "print" | "dry";
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
    `Its state is in ${stateFolder(service)}. Next:`,
    ...(service.config !== null ? [`  ${readable}    # for its user alone: it may hold secrets`] : []),
    ...(service.group === null ? [] : ["  chgrp bird /etc/bird && chmod 2775 /etc/bird"]),
    `  systemctl enable --now ${unit}`,
  ].join("\n");
}

interface Given {
  readonly service: string;
  readonly config: string | null;
  readonly executable: string | null;
  readonly root: string;
  readonly print: boolean;
  readonly dryRun: boolean;
}

function orderOf({ service: name, config: given, executable: program, root, print, dryRun }: Given): Order {
  const service = services.find((one) => one.name === name);
  if (service === undefined) {
    throw wrongUsage(`there is no service ${name}`);
  }
  if (service.config === null && given !== null) {
    throw wrongUsage(`the ${service.name} has no configuration file; set its variables in the unit`);
  }
  const config = given ?? `/etc/vantage/${ownerName(service)}.${service.config ?? "yaml"}`;
  const executable = executableOf(program);
  const mode = print ? "print" : dryRun ? "dry" : "install";
  return { service, config, mode, steps: stepsOf(service, { executable, config }, root) };
}
