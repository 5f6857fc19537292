/** The keys of section `kafka` that say how to reach a broker, and who we are there: spelt alike in all files. */
import * as v from "valibot";
import { type KafkaLogin, kafkaMechanisms, kafkaProtocols } from "../broker/broker-options.ts";
import type { Contradiction } from "./load-config.ts";
import { configKey } from "./shape.ts";

export const loginKeys = {
  auth_protocol: v.optional(
    configKey(v.picklist(kafkaProtocols), {
      meaning: "Whether we speak TLS (`SSL`), and whether the broker asks who is there (`SASL`)",
      blankIsDefault: true,
    }),
    "PLAINTEXT",
  ),
  auth_tls_ca_file: v.optional(
    configKey(v.string(), {
      meaning: "PEM file of the authorities that may have signed the brokers' certificates; only with SSL",
      otherwise: "the public ones",
      blankIsDefault: true,
    }),
  ),
  auth_sasl_mechanism: v.optional(
    configKey(v.picklist(kafkaMechanisms), {
      meaning: "How we prove to the broker who we are",
      blankIsDefault: true,
    }),
    "SCRAM-SHA-512",
  ),
  auth_sasl_username: v.optional(
    configKey(v.string(), { meaning: "User at the broker; only with SASL" }),
    "saimiris",
  ),
  auth_sasl_password: v.optional(
    configKey(v.string(), { meaning: "Password at the broker; only with SASL" }),
    "saimiris",
  ),
};

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

/** Somebody who names an authority means TLS, and must not be left without it. */
export function loginContradictions({
  auth_protocol: protocol,
  auth_tls_ca_file: file,
}: Given): Contradiction[] {
  const isTls = protocol === "SSL" || protocol === "SASL_SSL";
  const reason = `needs auth_protocol SSL or SASL_SSL, not ${protocol}`;
  return file === undefined || isTls ? [] : [{ path: ["kafka", "auth_tls_ca_file"], reason }];
}
