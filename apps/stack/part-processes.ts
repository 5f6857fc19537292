/** The processes of a stack, each with what it is started with. */

import { join } from "node:path";
import { embeddedFolder } from "../../lib/base/api/embedded-folder.ts";
import { defaultPorts } from "../../lib/engines/config/default-ports.ts";
import { Child } from "./child.ts";
import { exchangeAddresses } from "./exchange/tunnel.ts";
import { type GatewayPlaces, type Listen, listenText, urlOf } from "./listen.ts";
import type { StartUp } from "./start-up.ts";

export interface StackConfig {
  /** Everything lies below it. */
  readonly directory: string;
  readonly ttlDays: number;
  readonly historyDays: number;
  /** Where its health and metrics will be. */
  readonly observer: Listen;
  /** Null = without gateways. */
  readonly gateways: GatewayPlaces | null;
  /** Needs gateways. */
  readonly hasExchange: boolean;
  /** Whether standard error is a terminal. */
  readonly isTerminal: boolean;
}

export interface StackAddresses {
  readonly broker: string;
  readonly store: string;
}

export interface PartProcesses {
  readonly store: Child;
  readonly ingester: Child;
  readonly gateway: Child | null;
  readonly peering: Child | null;
  readonly exchange: Child | null;
}

type PartsConfig = Pick<StackConfig, "directory" | "gateways" | "hasExchange">;

/** Names of the parts as people see them, in the order of a measurement's way. */
export function partNames({ gateways, hasExchange }: PartsConfig): string[] {
  const withGateways = gateways === null ? [] : ["gateway", "peering gateway"];
  return ["broker", "store", "ingester", ...withGateways, ...(hasExchange ? ["exchange"] : [])];
}

export function partProcesses(
  { directory, gateways, hasExchange }: PartsConfig,
  { broker, store }: StackAddresses,
  startUp: StartUp,
): PartProcesses {
  const child = (name: string, ...args: string[]) =>
    new Child({
      name,
      args: [...args, "--child"],
      say: (line) => startUp.say(line),
      onStep: (step) => startUp.step(name, step),
    });
  const engines = ["--broker", broker, "--store", store];
  const storeDirectory = embeddedFolder("store", store) ?? "";
  const parts = {
    store: child("store", "store", "--dir", storeDirectory),
    ingester: child("ingester", "ingest", ...engines, "--dir", join(directory, "ingest")),
  };
  if (gateways === null) {
    return { ...parts, gateway: null, peering: null, exchange: null };
  }
  const { gateway, peering, issuerPort } = gateways;
  const home = ["--dir", directory];
  const issuer = urlOf({ hostname: "127.0.0.1", port: issuerPort });
  const urls = ["--gateway", urlOf(gateway), "--peering-gateway", urlOf(peering), "--issuer", issuer];
  const probing = ["--gateway-listen", listenText(gateway), "--issuer-port", String(issuerPort)];
  const status = urlOf({ hostname: exchangeAddresses.v4, port: defaultPorts.policyGenerator });
  const own = ["--peering-gateway", urlOf(peering), ...(hasExchange ? ["--exchange-status", status] : [])];
  return {
    ...parts,
    gateway: child("gateway", "gateway", ...home, ...engines, ...probing, ...own),
    peering: child(
      "peering gateway",
      "peering",
      ...home,
      "--peering-listen",
      listenText(peering),
      "--issuer",
      issuer,
      ...(hasExchange ? ["--neighbors"] : []),
    ),
    exchange: hasExchange ? child("exchange", "exchange", ...home, "--broker", broker, ...urls) : null,
  };
}
