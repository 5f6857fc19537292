/** Maps errors of kafkajs to BrokerError. */
import { BrokerError, type BrokerErrorCode } from "../broker.ts";
import { serverOf } from "./ipv6-seeds.ts";

interface KafkaFailure extends KafkaComplaint {
  /** Why the certificate was refused, in words; null for other errors. */
  readonly tls: string | null;
}

/** A BrokerError is returned unchanged. Temporary errors become `unavailable`. */
export function brokerErrorOf(error: unknown, what: string): BrokerError {
  if (error instanceof BrokerError) {
    return error;
  }
  const failure = rootOf(error);
  const code = codeOf(failure);
  return new BrokerError(code, `Cannot ${what}: ${reasonOf(failure)}`, { cause: error });
}

/** The topic was never created, was deleted, or was created so recently that this broker does not know it. */
export function isUnknownTopic(error: unknown): boolean {
  return rootOf(error).type === "UNKNOWN_TOPIC_OR_PARTITION";
}

function reasonOf(failure: KafkaFailure): string {
  if (failure.type === "UNKNOWN_TOPIC_OR_PARTITION") {
    return "the topic has not been created";
  }
  const words = [failure.message.replaceAll(/\s+/g, " "), kafkaAdvice(failure)];
  return failure.tls ?? words.filter((text) => text !== null).join("; ");
}

function codeOf({ name, type, tls }: KafkaFailure): BrokerErrorCode {
  if (type === "MESSAGE_TOO_LARGE" || type === "RECORD_LIST_TOO_LARGE") {
    return "recordTooLarge";
  }
  const isRefused =
    tls !== null ||
    name === "KafkaJSSASLAuthenticationError" ||
    name === "KafkaJSNotImplemented" ||
    /_AUTHORIZATION_FAILED$|^INVALID_|^UNSUPPORTED_|^POLICY_VIOLATION$|^UNKNOWN_TOPIC_OR_PARTITION$/.test(
      type,
    );
  return isRefused ? "refused" : "unavailable";
}

/** kafkajs wraps: "retries exceeded" around "non-retriable" around the real error. */
function rootOf(error: unknown): KafkaFailure {
  let at: unknown = error;
  for (let depth = 0; depth < 8; depth++) {
    const next: unknown = innerOf(at);
    if (!(next instanceof Error)) {
      break;
    }
    at = next;
  }
  const message = at instanceof Error ? at.message : String(at);
  const name = at instanceof Error ? at.name : "";
  const type = at instanceof Error && "type" in at ? String(at.type) : "";
  return { name, message, type, tls: tlsOf(at) };
}

function tlsOf(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error) || !("broker" in error)) {
    return null;
  }
  return tlsFailure(String(error.code), serverOf(String(error.broker)));
}

function innerOf(error: unknown): unknown {
  if (error instanceof Error && "errors" in error && Array.isArray(error.errors)) {
    return error.errors[0];
  }
  return error instanceof Error && error.cause !== error ? error.cause : null;
}

/** What the user can do about a Kafka error, if its own message does not explain it. */
interface KafkaComplaint {
  readonly name: string;
  /** Kafka's name for the error, such as TOPIC_AUTHORIZATION_FAILED; empty when it has none. */
  readonly type: string;
  readonly message: string;
}

const advices: readonly (readonly [complaint: RegExp, advice: string])[] = [
  [/SASL mechanism$|NotImplemented/, "give one of the broker's in auth_sasl_mechanism"],
  [/SASLAuthenticationError/, "give the account's own auth_sasl_username and auth_sasl_password"],
  // kafkajs 2.2.4 does not report why it found none: most often it was not allowed to.
  [
    /GroupCoordinatorNotFound/,
    "the broker is starting, or refuses the group; then give the account the ACLs of docs/operate/encrypted-links.md",
  ],
  [/_AUTHORIZATION_FAILED/, "give the account the ACLs of docs/operate/encrypted-links.md"],
  // A broker that receives unexpected bytes closes the connection without an answer.
  [
    /ConnectionClosedError|ILLEGAL_SASL_STATE|before secure TLS/,
    "if it stays so, auth_protocol is not what that port of the broker expects",
  ],
];

/** Null = no advice. */
function kafkaAdvice({ name, type, message }: KafkaComplaint): string | null {
  const complaint = `${name} ${type} ${message}`;
  return advices.find(([pattern]) => pattern.test(complaint))?.[1] ?? null;
}

// Problems with a broker's certificate, with the remedy.

/** Codes of OpenSSL, as Bun 1.4.5 and Node name them; all others mean that no trusted authority signed. */
const certificateWords: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "it has expired; renew it at the broker",
  CERT_NOT_YET_VALID: "it is not valid yet; set this machine's clock, or renew it at the broker",
  CERT_REVOKED: "it has been revoked; renew it at the broker",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "it is not for that name; name the broker as in its certificate, in brokers and in its advertised.listeners",
};

const untrusted = "its issuer is not trusted here; name its CA file in auth_tls_ca_file";
const untrustedCodes = /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_|INVALID_CA$|HOSTNAME_MISMATCH$)/;

/** Null for other errors. `server` as HOST:PORT. */
function tlsFailure(code: string, server: string): string | null {
  const reason = certificateWords[code] ?? (untrustedCodes.test(code) ? untrusted : null);
  return reason === null ? null : `the certificate of ${server} is refused (${code}): ${reason}`;
}
