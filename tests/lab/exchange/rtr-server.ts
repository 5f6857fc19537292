/** The RTR servers of the lab (RFC 8210), in the namespace of the exchange: StayRTR, each with a file of VRPs. */
import { join } from "node:path";
import { Daemon } from "../../exchange/daemon.ts";
import { stayrtrCommand } from "../../exchange/stayrtr.ts";
import type { ExchangeNet } from "./exchange-net.ts";
import { secondCachePort } from "./plan.ts";

export const rtrServers = {
  first: { file: "vrps.json", port: 8282 },
  second: { file: "vrps-second.json", port: secondCachePort },
} as const;

/** It reads its file again each second. */
export function rtrServer(
  net: ExchangeNet,
  folder: string,
  { file, port }: { readonly file: string; readonly port: number },
): Daemon {
  const command = stayrtrCommand({ file: join(folder, file), port });
  return new Daemon(`stayrtr-${port}`, folder, net.at("exchange", command));
}
