/** Whom we trust at the other end of a TLS connection to Kafka, and what it means when we do not. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { BrokerError } from "../broker.ts";
import type { KafkaLogin } from "../broker-options.ts";
import { caFileBytesMax } from "./limits.ts";

const certificatePattern = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Null = without TLS. Throws BrokerError `badLogin` that names the file. */
export function tlsSettings(login: KafkaLogin | undefined): ConnectionOptions | null {
  if (login === undefined || login.protocol === "PLAINTEXT" || login.protocol === "SASL_PLAINTEXT") {
    return null;
  }
  return login.caFile === null ? {} : { ca: authoritiesIn(login.caFile) };
}

/** A file of which one certificate cannot be read is refused whole: TLS would say so only by trusting nobody. */
function authoritiesIn(path: string): string[] {
  try {
    const certificates = textOf(path).match(certificatePattern) ?? [];
    if (certificates.length === 0) {
      throw new Error("there is no certificate in it (-----BEGIN CERTIFICATE-----)");
    }
    return certificates.map((pem) => new X509Certificate(pem).toString());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BrokerError("badLogin", `Cannot take authorities from auth_tls_ca_file ${path}: ${reason}`);
  }
}

function textOf(path: string): string {
  const bytes = readFileSync(path);
  if (bytes.byteLength > caFileBytesMax) {
    throw new Error(`it has ${bytes.byteLength} bytes, more than ${caFileBytesMax}`);
  }
  return bytes.toString("latin1");
}
