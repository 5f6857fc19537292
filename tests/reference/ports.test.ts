/** No two parts listen at the same port by default: every default in configurations and commands is looked at. */
import { expect, test } from "bun:test";
import { root } from "../../apps/commands.ts";
import { describe } from "../../lib/command/command/describe.ts";
import { defaultPorts } from "../../lib/engines/config/default-ports.ts";
import { type Shape, shapeOf } from "../../lib/engines/config/shape.ts";
import { configurationPages } from "./configuration.ts";

interface Setting {
  /** `agent-configuration agent.metrics_address`, `stack --listen`. */
  readonly name: string;
  readonly port: number;
}

/** No Vantage service listens there: an RTR server's, and those in probes. */
const foreign: readonly Setting[] = [
  { name: "exchange-settings rpki.port", port: 8282 },
  { name: "exchange-settings rpki.second.port", port: 8282 },
  { name: "probes --srcPort", port: 24_000 },
  { name: "probes --dstPort", port: 33_434 },
];

/** The port of a number that is called a port, a place to listen at, or an address of a host. */
function portIn(name: string, value: unknown): number | null {
  if (typeof value === "number") {
    return /port$/i.test(name) ? value : null;
  }
  if (typeof value === "object" && value !== null && "port" in value) {
    return Number(value.port);
  }
  const [, digits] = /^(?:https?:\/\/)?[^\s/]*:(\d{2,5})(?:\/|$)/.exec(String(value)) ?? [];
  return digits === undefined ? null : Number(digits);
}

function keysOf(shape: Shape, path: string): [string, unknown][] {
  switch (shape.kind) {
    case "section":
      return [...shape.entries].flatMap(([name, entry]) =>
        keysOf(entry, path === "" ? name : `${path}.${name}`),
      );
    case "list":
      return keysOf(shape.item, `${path}[]`);
    case "value":
      return [[path, shape.defaultValue]];
  }
}

async function everySetting(): Promise<Setting[]> {
  const keys = configurationPages.flatMap(({ name, schema }) =>
    keysOf(shapeOf(schema), "").map(([key, value]) => [`${name} ${key}`, value] as const),
  );
  const options = (await describe(root, "")).flatMap(({ name, command }) =>
    Object.entries(command.options ?? {}).map(
      ([option, { default: value }]) => [`${name} --${option}`, value] as const,
    ),
  );
  return [...keys, ...options].flatMap(([name, value]) => {
    const port = portIn(name, value);
    return port === null ? [] : [{ name, port }];
  });
}

test("every port has one part, and every default is a port of the table", async () => {
  const ports = Object.entries(defaultPorts);
  expect(new Set(ports.map(([, port]) => port)).size).toBe(ports.length);
  const found = await everySetting();
  const owners = Object.fromEntries(
    ports.map(([part, port]) => [part, found.filter((one) => one.port === port).map(({ name }) => name)]),
  );
  expect(owners).toEqual({
    agent: ["agent-configuration agent.metrics_address"],
    stack: ["stack --listen"],
    collector: ["collector-configuration collector.address"],
    bmp: ["collector-configuration bmp.address"],
    policyGenerator: [
      "policy-generator-configuration generator.address",
      "exchange-settings vpn.status_port",
      // Where users ask it.
      "bootstrap-configuration vpn.status_port",
      "exchange status --url",
    ],
    statusPage: ["bootstrap-configuration bootstrap.address"],
    probingGateway: [
      "probing-gateway-configuration gateway.address",
      "stack --gatewayListen",
      "stack gateway --gatewayListen",
    ],
    peeringGateway: [
      "peering-gateway-configuration gateway.address",
      "stack --peeringListen",
      "stack peering --peeringListen",
    ],
    issuer: ["stack --issuerPort", "stack gateway --issuerPort"],
  });
  const known = new Set<number>(Object.values(defaultPorts));
  expect(found.filter(({ port }) => !known.has(port))).toEqual([...foreign]);
});
