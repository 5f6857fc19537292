/** The gateway's folder on disk: one process's own; what is made once lies in it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeKey } from "../../lib/auth/secret-key.ts";
import { lockDirectory } from "../../lib/store/directory-lock.ts";
import type { GatewayConfig } from "./config.ts";

export interface StateFolder extends Disposable {
  readonly gatewayId: string;
  readonly adminKey: string;
  /** Of the probes that wait for the broker. */
  readonly spoolPath: string;
}

/** Throws an Error with what to do when the folder cannot be used, or another process uses it. */
export function openStateFolder(config: GatewayConfig): StateFolder {
  const { stateDir } = config;
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const lock = lockDirectory(stateDir, "a probing gateway");
  try {
    const makeId = () => `gateway-${crypto.randomUUID()}`;
    return {
      gatewayId: config.gatewayId ?? madeOnce(join(stateDir, "gateway.id"), makeId),
      adminKey: adminKeyOf(config),
      spoolPath: join(stateDir, "spool"),
      [Symbol.dispose]: () => lock[Symbol.dispose](),
    };
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

function adminKeyOf({ adminKey, adminKeyFile, isAdminKeyFileOurs }: GatewayConfig): string {
  if (adminKey !== null) {
    return adminKey;
  }
  const key = isAdminKeyFileOurs
    ? madeOnce(adminKeyFile, makeKey)
    : readFileSync(adminKeyFile, "utf8").trim();
  if (key.length < 16) {
    throw new Error(`Cannot use the admin key in ${adminKeyFile}: it has fewer than 16 characters`);
  }
  return key;
}

/** Only the owner may read what is made. */
function madeOnce(path: string, make: () => string): string {
  if (!existsSync(path)) {
    writeFileSync(path, `${make()}\n`, { mode: 0o600, flag: "wx" });
  }
  return readFileSync(path, "utf8").trim();
}
