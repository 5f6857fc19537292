/**
 * The secrets of a platform: deploy/make-secrets.sh makes what is missing, each in a file of its own that root alone
 * can read. What exists stays as it is, however often setup is run; but a certificate ends.
 */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import makeSecrets from "../../../deploy/make-secrets.sh" with { type: "text" };
import { makePrivateFolder } from "../../../lib/base/disk/private-folder.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import type { PlatformAnswers } from "./answers.ts";

/** Where they are, below the prefix. */
export const secretsFolder = "/etc/vantage/secrets";

/** Stands where a secret will be that `--check` does not make. */
const notMade = "(made by setup)";
const renewedBeforeSec = 30 * 86_400;

export interface Secrets {
  readonly read: (name: string) => string;
}

/** Those that exist; the others are shown as `(made by setup)`. */
export function secretsIn(prefix: string): Secrets {
  const folder = join(prefix, secretsFolder);
  return {
    read: (name) => {
      const path = join(folder, name);
      return existsSync(path) ? readFileSync(path, "utf8").trim() : notMade;
    },
  };
}

/** Returns the names of what it made. Throws CommandError that says what is missing. */
export function makeMissingSecrets(prefix: string, answers: PlatformAnswers): string[] {
  const { domain, certificates, broker, services } = answers;
  const isInContainers = services === "containers";
  if (Bun.which("openssl") === null) {
    throw cannot("openssl is missing, which makes the secrets: apt install openssl");
  }
  const folder = join(prefix, secretsFolder);
  makePrivateFolder(folder);
  if (broker === "kafka") {
    dropOldKeystore(join(folder, "kafka_keystore.pem"), `kafka.${domain}`);
  }
  refuseOtherServices(folder, isInContainers);
  const before = new Set(readdirSync(folder));
  const command = ["sh", "-s", "--", domain, folder];
  const { exitCode, stderr } = Bun.spawnSync(command, {
    stdin: new TextEncoder().encode(makeSecrets),
    // Users inside the containers have other numbers; only root gets into the folder.
    env: {
      ...process.env,
      MODE: isInContainers ? "0444" : "0600",
      DATABASE_HOST: isInContainers ? "postgres:5432" : "127.0.0.1:5432",
    },
  });
  if (exitCode !== 0) {
    throw cannot(`the secrets in ${folder} could not be made: ${stderr.toString().trim()}`);
  }
  if (isInContainers && answers.alerts !== undefined) {
    const webhook = join(folder, "alerts_webhook");
    rmSync(webhook, { force: true });
    writeFileSync(webhook, `${answers.alerts}\n`, { mode: 0o444 });
  }
  if (certificates === "local" && !existsSync(join(folder, "authority.pem"))) {
    makeAuthority(folder);
    chmodSync(join(folder, "authority.pem"), isInContainers ? 0o444 : 0o600);
  }
  return readdirSync(folder)
    .filter((name) => !before.has(name))
    .sort();
}

/** Addresses of the databases among the secrets are those of one layout. */
function refuseOtherServices(folder: string, isInContainers: boolean): void {
  const path = join(folder, "probing_database");
  if (existsSync(path) && readFileSync(path, "utf8").includes("@postgres:") !== isInContainers) {
    const was = isInContainers ? "systemd" : "containers";
    throw cannot(`this platform was set up with services: ${was}; give that again, or move ${folder} away`);
  }
}

/** The broker's certificate is made again for another name, and in its last month. Agents trust its authority. */
function dropOldKeystore(path: string, name: string): void {
  if (!existsSync(path)) {
    return;
  }
  const command = ["openssl", "x509", "-in", path, "-noout"];
  const { stdout } = Bun.spawnSync([...command, "-checkhost", name]);
  const { exitCode } = Bun.spawnSync([...command, "-checkend", String(renewedBeforeSec)]);
  if (!stdout.toString().includes("does match certificate") || exitCode !== 0) {
    rmSync(path);
  }
}

/** An authority for TLS on a platform without public names. */
function makeAuthority(folder: string): void {
  const how = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "3650"];
  const use = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign"];
  const extensions = use.flatMap((one) => ["-addext", one]);
  const to = ["-keyout", join(folder, "authority.key"), "-out", join(folder, "authority.pem")];
  const command = ["openssl", "req", ...how, "-subj", "/CN=Vantage local authority", ...extensions, ...to];
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) {
    throw cannot(`the authority in ${folder} could not be made: ${stderr.toString().trim()}`);
  }
}
