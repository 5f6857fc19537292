/** `vantage setup` below another prefix, as tests look at what it writes. */
import { afterAll } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vantageCommand } from "../run/vantage-command.ts";

export const vantage = vantageCommand;
export const executable = ["--executable", "/usr/local/bin/vantage"];

export function run(command: readonly string[], umask = "0022") {
  const { exitCode, stdout, stderr } = Bun.spawnSync([
    "sh",
    "-c",
    `umask ${umask}; exec "$@"`,
    "sh",
    ...command,
  ]);
  return { code: exitCode, output: stdout.toString(), errors: stderr.toString() };
}

/** For a file of tests: what makes machines there, which are removed with it. */
export function machines() {
  const folder = mkdtempSync(join(tmpdir(), "vantage setup-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return () => machineIn(mkdtempSync(join(folder, "machine ")));
}

/** A machine, and what setup says of these answers there. */
function machineIn(root: string) {
  const answers = join(root, "answers.yaml");
  const setup = (text: string, args: readonly string[] = [], umask = "0022") => {
    writeFileSync(answers, text);
    return run([...vantage, "setup", "--answers", answers, "--prefix", root, ...executable, ...args], umask);
  };
  const at = (path: string) => join(root, path);
  return { root, setup, at, read: (path: string) => readFileSync(at(path), "utf8") };
}

export const small = `platform:
  domain: example.net
  issuer: https://accounts.example.org/
  pool: ["2001:db8:1000::/40"]
`;
export const large = `platform:
  domain: example.net
  issuer: keycloak
  broker: kafka
  certificates: local
  pool: ["2001:db8:1000::/40"]
  alerts: https://hooks.example.net/secret
  asn: 64500
`;
export const contained = `${large}  services: containers\n`;
const pem = "-----BEGIN CERTIFICATE-----\\nMIIB\\n-----END CERTIFICATE-----\\n";
export const agent = `agent:
  id: west
  gateway: https://probing.example.net
  gateway_authority: "${pem}"
  enrolment_key: key
  broker: kafka.example.net:9094
  broker_password: "a: \\"b"
  broker_authority: "${pem}"
`;

/** Paths below, in order. */
export function everyFile(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(root, name)).isFile())
    .sort();
}
