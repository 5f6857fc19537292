/** The gateway's folder on disk, for one process: it holds keys and ids that are made once. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { adminKeyOf } from "../../lib/service/gateway-config.ts";
import { lockDirectory } from "../../lib/store/directory-lock.ts";
import type { ProbingGatewayConfig } from "./config.ts";

interface StateFolder extends Disposable {
  readonly gatewayId: string;
  readonly adminKey: string;
  /** Folder of the probes that wait for the broker. */
  readonly spoolPath: string;
}

/** Throws an Error, with the next step, when the folder cannot be used, or another process uses it. */
export function openStateFolder(config: ProbingGatewayConfig): StateFolder {
  const { stateDir } = config;
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const lock = lockDirectory(stateDir, "a probing gateway");
  try {
    return {
      gatewayId: config.gatewayId ?? idMadeOnce(join(stateDir, "gateway.id")),
      adminKey: adminKeyOf(config),
      spoolPath: join(stateDir, "spool"),
      [Symbol.dispose]: () => lock[Symbol.dispose](),
    };
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

function idMadeOnce(path: string): string {
  if (!existsSync(path)) {
    writeFileSync(path, `gateway-${crypto.randomUUID()}\n`, { mode: 0o600, flag: "wx" });
  }
  return readFileSync(path, "utf8").trim();
}
