/** Certificates for a broker of a test, made each time by openssl: some good, one expired, two authorities. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Certificates {
  /** Has signed all certificates; a client trusts it. */
  readonly authority: string;
  /** Has signed none of them. */
  readonly otherAuthority: string;
  /** Key and certificate in one PEM file, for 127.0.0.1 and ::1. */
  readonly broker: string;
  /** For localhost only. */
  readonly named: string;
  /** For 127.0.0.1, and its last day was yesterday. */
  readonly expired: string;
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

/** Takes 0.1 s. */
export function makeCertificates(folder: string): Certificates {
  mkdirSync(folder, { recursive: true });
  const at = (name: string) => join(folder, name);
  makeAuthority(at("authority"));
  makeAuthority(at("other"));
  const request = ["-keyout", at("broker.key"), "-out", at("broker.request"), "-subj", "/CN=broker"];
  openssl("req", ...newKey, ...request);
  const sign = (name: string, subject: string, days: string) => {
    writeFileSync(at("names"), `subjectAltName=${subject}\n`);
    const by = ["-CA", at("authority.pem"), "-CAkey", at("authority.key"), "-days", days];
    const files = ["-in", at("broker.request"), "-extfile", at("names"), "-out", at(`${name}.crt`)];
    openssl("x509", "-req", ...by, ...files);
    writeFileSync(
      at(`${name}.pem`),
      readFileSync(at("broker.key"), "utf8") + readFileSync(at(`${name}.crt`), "utf8"),
    );
  };
  sign("broker", "IP:127.0.0.1,IP:::1", "1");
  sign("named", "DNS:localhost", "1");
  sign("expired", "IP:127.0.0.1", "-1");
  return {
    authority: at("authority.pem"),
    otherAuthority: at("other.pem"),
    broker: at("broker.pem"),
    named: at("named.pem"),
    expired: at("expired.pem"),
  };
}

function makeAuthority(path: string): void {
  const files = ["-keyout", `${path}.key`, "-out", `${path}.pem`];
  openssl("req", "-x509", ...newKey, "-days", "1", "-subj", "/CN=authority", ...files);
}

function openssl(...args: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(["openssl", ...args], { stdin: "ignore" });
  if (exitCode !== 0) {
    throw new Error(`Cannot make certificates: openssl ${args[0]}: ${stderr.toString().trim()}`);
  }
}
