/** What an error of kafkajs means to who uses the broker. */
import { BrokerError, type BrokerErrorCode } from "../broker.ts";
import { type KafkaComplaint, kafkaAdvice } from "./kafka-advice.ts";
import { tlsFailure } from "./tls-failure.ts";

interface KafkaFailure extends KafkaComplaint {
  /** What the certificate was refused for, in words; null where it was not about that. */
  readonly tls: string | null;
}

/** BrokerErrors stay what they are. What may pass is `unavailable`. */
export function brokerErrorOf(error: unknown, what: string): BrokerError {
  if (error instanceof BrokerError) {
    return error;
  }
  const failure = rootOf(error);
  const code = codeOf(failure);
  return new BrokerError(code, `Cannot ${what}: ${reasonOf(failure)}`, { cause: error });
}

/** Never created, deleted, or created so lately that the broker asked does not know of it. */
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

/** kafkajs wraps: "retries exceeded" around "non-retriable" around what has happened. */
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
  return tlsFailure(String(error.code), String(error.broker));
}

function innerOf(error: unknown): unknown {
  if (error instanceof Error && "errors" in error && Array.isArray(error.errors)) {
    return error.errors[0];
  }
  return error instanceof Error && error.cause !== error ? error.cause : null;
}
