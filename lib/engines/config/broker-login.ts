/** The keys of section `kafka` for the connection and login to a broker, spelt alike in all files. */

import * as v from "valibot";
import { embeddedFolder } from "../../base/api/embedded-folder.ts";
import { type KafkaLogin, kafkaMechanisms, kafkaProtocols } from "../broker/broker-options.ts";
import type { Contradiction } from "./load-config.ts";
import { keyWithDefault, optionalKey } from "./shape.ts";

export const loginKeys = {
  auth_protocol: keyWithDefault(v.picklist(kafkaProtocols), "PLAINTEXT", {
    meaning: "Whether TLS is used (`SSL`), and whether the broker requires a login (`SASL`)",
    blankIsDefault: true,
  }),
  auth_tls_ca_file: optionalKey(v.string(), {
    meaning: "PEM file of the authorities that may have signed the brokers' certificates; only with SSL",
    otherwise: "the public ones",
    blankIsDefault: true,
  }),
  auth_sasl_mechanism: keyWithDefault(v.picklist(kafkaMechanisms), "SCRAM-SHA-512", {
    meaning: "How we prove to the broker who we are",
    blankIsDefault: true,
  }),
  auth_sasl_username: keyWithDefault(v.string(), "saimiris", {
    meaning: "User at the broker; only with SASL",
  }),
  auth_sasl_password: keyWithDefault(v.string(), "saimiris", {
    meaning: "Password at the broker; only with SASL",
  }),
};

const accountKeys = ["auth_sasl_mechanism", "auth_sasl_username", "auth_sasl_password"] as const;
const loginSection = v.object(loginKeys);
type Given = v.InferOutput<typeof loginSection>;

export function loginOf(given: Given): KafkaLogin {
  const { auth_protocol: protocol } = given;
  const trust = { caFile: given.auth_tls_ca_file ?? null };
  const account = {
    mechanism: given.auth_sasl_mechanism,
    user: given.auth_sasl_username,
    password: given.auth_sasl_password,
  };
  switch (protocol) {
    case "PLAINTEXT":
      return { protocol };
    case "SSL":
      return { protocol, ...trust };
    case "SASL_PLAINTEXT":
      return { protocol, ...account };
    case "SASL_SSL":
      return { protocol, ...trust, ...account };
  }
}

/**
 * Settings without effect: a configured authority needs TLS, and a configured account needs SASL, else it would be
 * ignored silently. Defaults that are spelt out are allowed.
 */
export function loginContradictions(
  given: Given & { readonly brokers?: string | undefined },
): Contradiction[] {
  const { auth_protocol: protocol, brokers = "" } = given;
  const refuse = (key: string, reason: string) => [{ path: ["kafka", key], reason }];
  if (embeddedFolder("broker", brokers) !== null && protocol !== "PLAINTEXT") {
    return refuse("auth_protocol", `is for Kafka: ${brokers} has no logins`);
  }
  const isTls = protocol === "SSL" || protocol === "SASL_SSL";
  const hasLogin = protocol === "SASL_PLAINTEXT" || protocol === "SASL_SSL";
  const idle = accountKeys.filter((key) => !hasLogin && ![loginKeys[key].default, ""].includes(given[key]));
  return [
    ...(given.auth_tls_ca_file === undefined || isTls
      ? []
      : refuse("auth_tls_ca_file", `needs auth_protocol SSL or SASL_SSL, not ${protocol}`)),
    ...idle.flatMap((key) => refuse(key, `needs auth_protocol SASL_SSL or SASL_PLAINTEXT, not ${protocol}`)),
  ];
}
