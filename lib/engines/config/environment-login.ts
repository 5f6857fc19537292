/** How a program without a configuration file logs in to Kafka: by variables, with the keys that all files have. */
import * as v from "valibot";
import type { KafkaLogin } from "../broker/broker-options.ts";
import { loginContradictions, loginKeys, loginOf } from "./broker-login.ts";
import type { Environment } from "./environment.ts";
import { loadConfig } from "./load-config.ts";

export const loginSchema = v.object({ kafka: v.optional(v.object(loginKeys), {}) });
/** Other keys of the section may be there for another program. */
const ours = /^VANTAGE_KAFKA__AUTH_/i;

/** `VANTAGE_KAFKA__AUTH_PROTOCOL=SASL_SSL` and so on. Throws ConfigError with every problem. */
export function environmentLogin(environment: Environment): KafkaLogin {
  const { kafka } = loadConfig({
    schema: loginSchema,
    source: { name: "the environment", text: "{}" },
    environment: Object.fromEntries(Object.entries(environment).filter(([name]) => ours.test(name))),
    environmentPrefixes: ["VANTAGE_"],
    contradictions: ({ kafka }) => loginContradictions(kafka),
  });
  return loginOf(kafka);
}
