/** The steps of installing a service, as data: they are printed before they are done. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Service } from "./services.ts";
import { type UnitPaths, unitName, unitText, userText } from "./unit.ts";

export type Step =
  | { readonly kind: "write"; readonly path: string; readonly text: string }
  | { readonly kind: "run"; readonly command: readonly string[] };

/** `root` other than `/`: an image that is being built; its systemd does not run, so it is not notified. */
export function stepsOf(service: Service, place: UnitPaths, root: string): Step[] {
  const name = unitName(service);
  const users = `/etc/sysusers.d/${name}.conf`;
  const files: Step[] = [
    { kind: "write", path: join(root, users), text: userText(service) },
    {
      kind: "write",
      path: join(root, `/etc/systemd/system/${name}.service`),
      text: unitText(service, place),
    },
  ];
  const commands: Step[] = [
    { kind: "run", command: ["systemd-sysusers", users] },
    { kind: "run", command: ["systemctl", "daemon-reload"] },
  ];
  return root === "/" ? [...files, ...commands] : files;
}

export function describeStep(step: Step): string {
  return step.kind === "write" ? `writes ${step.path}` : `runs ${step.command.join(" ")}`;
}

/** Throws Error that names the step; earlier steps stay, and repeating all of them is harmless. */
export function doStep(step: Step): void {
  if (step.kind === "write") {
    mkdirSync(dirname(step.path), { recursive: true });
    writeFileSync(step.path, step.text, { mode: 0o644 });
    return;
  }
  const [program = ""] = step.command;
  if (Bun.which(program) === null) {
    throw new Error(`Cannot run ${program}: this machine has no systemd (see: --print)`);
  }
  const { exitCode, stderr } = Bun.spawnSync([...step.command]);
  if (exitCode !== 0) {
    throw new Error(`Cannot run ${step.command.join(" ")}: ${stderr.toString().trim()}`);
  }
}
