/** What setup writes for an agent: its configuration, and a drop-in where authorities are not public. Pure. */
import { embeddedFolder } from "../../../lib/base/api/embedded-folder.ts";
import type { AgentAnswers } from "./answers.ts";
import { stackUser } from "./places.ts";
import { dropIn, openFile, type PlannedFile, yamlFile } from "./planned-file.ts";

const gatewayAuthority = "/etc/vantage/agent-gateway-authority.pem";
const brokerAuthority = "/etc/vantage/agent-broker-authority.pem";

export function agentFiles(answers: AgentAnswers): PlannedFile[] {
  const log = embeddedFolder("broker", answers.broker);
  // In the folder of a broker on the same machine, it must be the broker's user.
  const group = log === null ? "vantage-agent" : stackUser;
  const { gateway_authority: gatewayPem, broker_authority: brokerPem } = answers;
  const lines = [
    ...(log === null ? [] : [`User=${stackUser}`, `Group=${stackUser}`, `ReadWritePaths=${log}`]),
    ...(gatewayPem === undefined ? [] : [`Environment=NODE_EXTRA_CA_CERTS=${gatewayAuthority}`]),
  ];
  const page = "docs/reference/agent-configuration.md";
  return [
    yamlFile("/etc/vantage/agent.yaml", group, page, configuration(answers)),
    ...(gatewayPem === undefined ? [] : [openFile(gatewayAuthority, gatewayPem)]),
    ...(brokerPem === undefined ? [] : [openFile(brokerAuthority, brokerPem)]),
    ...(lines.length === 0 ? [] : [dropIn("vantage-agent", ["[Service]", ...lines])]),
  ];
}

/** The file that `vantage doctor` has to trust, as it asks the gateway too. */
export function agentAuthority({ gateway_authority: pem }: AgentAnswers): string | null {
  return pem === undefined ? null : gatewayAuthority;
}

function configuration(answers: AgentAnswers): object {
  const { id, broker, broker_password: password, broker_authority: authority } = answers;
  return {
    agent: { id, state_dir: "/var/lib/vantage/agent", metrics_address: answers.metrics_address },
    prober: [
      {
        name: "main",
        instance_id: 1,
        ...(answers.interface === undefined ? {} : { interface: answers.interface }),
        ...(answers.ipv4_prefix === undefined ? {} : { src_ipv4_prefix: answers.ipv4_prefix }),
        ...(answers.ipv6_prefix === undefined ? {} : { src_ipv6_prefix: answers.ipv6_prefix }),
        probing_rate: answers.probing_rate,
      },
    ],
    gateway: { url: answers.gateway, enrolment_key: answers.enrolment_key },
    kafka: {
      brokers: broker,
      ...(password === undefined
        ? {}
        : {
            auth_protocol: "SASL_SSL",
            auth_sasl_username: `vantage-agent-${id}`,
            auth_sasl_password: password,
            ...(authority === undefined ? {} : { auth_tls_ca_file: brokerAuthority }),
          }),
    },
  };
}
