import { expect, test } from "bun:test";
import * as v from "valibot";
import { loginContradictions, loginKeys } from "./broker-login.ts";

function problemsOf(given: Record<string, string>, brokers = "broker.example:9092"): string[] {
  const keys = v.parse(v.object(loginKeys), given);
  return loginContradictions({ ...keys, brokers }).map(({ path, reason }) => `${path.join(".")} ${reason}`);
}

test.each([
  [{ auth_tls_ca_file: "ca.pem" }, ["auth_tls_ca_file needs auth_protocol SSL or SASL_SSL, not PLAINTEXT"]],
  [
    { auth_protocol: "SSL", auth_sasl_username: "u", auth_sasl_password: "p" },
    [
      "auth_sasl_username needs auth_protocol SASL_SSL or SASL_PLAINTEXT, not SSL",
      "auth_sasl_password needs auth_protocol SASL_SSL or SASL_PLAINTEXT, not SSL",
    ],
  ],
  [
    { auth_sasl_mechanism: "PLAIN" },
    ["auth_sasl_mechanism needs auth_protocol SASL_SSL or SASL_PLAINTEXT, not PLAINTEXT"],
  ],
])("what would be passed over in %j is refused", (given, problems) => {
  expect(problemsOf(given)).toEqual(problems.map((problem) => `kafka.${problem}`));
});

test("a login at the log of this machine is refused: it has none", () => {
  expect(problemsOf({ auth_protocol: "SASL_SSL" }, "embedded:/srv/log")).toEqual([
    "kafka.auth_protocol is for Kafka: embedded:/srv/log has no logins",
  ]);
});

test("files of existing agents spell out defaults, or leave keys blank: that asks for nothing", () => {
  const written = { auth_protocol: "PLAINTEXT", auth_sasl_mechanism: "SCRAM-SHA-512" };
  expect(problemsOf({ ...written, auth_sasl_username: "saimiris", auth_sasl_password: "" })).toEqual([]);
  expect(problemsOf({ ...written, auth_protocol: "SASL_PLAINTEXT", auth_sasl_username: "u" })).toEqual([]);
});
