/** All files of a section of the answers. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { services } from "../install-service/services.ts";
import { ownerName, unitName, unitText, userText } from "../install-service/unit.ts";
import { agentFiles } from "./agent-files.ts";
import type { Answers } from "./answers.ts";
import type { Section } from "./manifest.ts";
import { openFile, type PlannedFile } from "./planned-file.ts";
import { platformFiles, platformServices } from "./platform-files.ts";
import { secretsIn } from "./secrets.ts";

export function filesOf(
  section: Section,
  answers: Answers,
  prefix: string,
  executable: string,
): PlannedFile[] {
  const { platform, agent } = answers;
  const units = (names: readonly string[]) => names.flatMap((name) => unitFiles(name, prefix, executable));
  if (section === "agent") {
    return agent === undefined ? [] : [...units(["agent"]), ...agentFiles(agent)];
  }
  return platform === undefined
    ? []
    : [...units(platformServices(platform)), ...platformFiles(platform, secretsIn(prefix), executable)];
}

/** The unit and its user, unless the Debian package has brought them. */
function unitFiles(name: string, prefix: string, executable: string): PlannedFile[] {
  const service = services.find((one) => one.name === name);
  if (service === undefined) {
    throw new TypeError(`Unknown service ${name}`);
  }
  const unit = unitName(service);
  if (existsSync(join(prefix, `/usr/lib/systemd/system/${unit}.service`))) {
    return [];
  }
  const config = `/etc/vantage/${ownerName(service)}.${service.config ?? "yaml"}`;
  return [
    openFile(`/etc/sysusers.d/${unit}.conf`, userText(service)),
    openFile(`/etc/systemd/system/${unit}.service`, unitText(service, { executable, config })),
  ];
}
