/** What somebody can do about an error of Kafka, where its own words do not say so. */

export interface KafkaComplaint {
  readonly name: string;
  /** Kafka's own name of the error, such as TOPIC_AUTHORIZATION_FAILED; empty where it has none. */
  readonly type: string;
  readonly message: string;
}

const advices: readonly (readonly [complaint: RegExp, advice: string])[] = [
  [/SASL mechanism$|NotImplemented/, "give one of the broker's in auth_sasl_mechanism"],
  [/SASLAuthenticationError/, "give the account's own auth_sasl_username and auth_sasl_password"],
  // kafkajs 2.2.4 keeps to itself why it has found none: most often it was not allowed to.
  [
    /GroupCoordinatorNotFound/,
    "the broker is starting, or refuses us the group; then give the account the ACLs of docs/broker.md",
  ],
  [/_AUTHORIZATION_FAILED/, "give the account the ACLs of docs/broker.md"],
  // A broker that gets bytes that it did not expect says nothing and hangs up.
  [
    /ConnectionClosedError|ILLEGAL_SASL_STATE|before secure TLS/,
    "if it stays so, auth_protocol is not what that port of the broker expects",
  ],
];

/** Null where nothing is known. */
export function kafkaAdvice({ name, type, message }: KafkaComplaint): string | null {
  const complaint = `${name} ${type} ${message}`;
  return advices.find(([pattern]) => pattern.test(complaint))?.[1] ?? null;
}
