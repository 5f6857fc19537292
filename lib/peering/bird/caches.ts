/** RPKI caches (RTR, RFC 8210), as `show protocols all` of BIRD 2 and 3 lists them. Pure. */
import { protocolBlocks } from "./protocol-blocks.ts";
import type { ReplyLine } from "./reply-reader.ts";

export interface RpkiCache {
  readonly name: string;
  readonly isUp: boolean;
  /** `Established`, `Transport-Error`, … */
  readonly status: string;
  /** `127.0.0.1:8282`, `[2001:db8::1]:323`. */
  readonly server: string;
  /** Since its last complete response; null = none yet, or its data has expired. */
  readonly ageSec: number | null;
  /** IPv6 entries that it has provided. */
  readonly roas: number;
}

/** In the order of BIRD's configuration. */
export function readCaches(lines: readonly ReplyLine[]): RpkiCache[] {
  return protocolBlocks(lines).flatMap(([head = "", ...details]) => {
    const [, name, state] = /^(\S+)\s+RPKI\s+\S+\s+(\S+)/.exec(head) ?? [];
    if (name === undefined) {
      return [];
    }
    const text = details.join("\n");
    const value = (label: string) => new RegExp(`^ *${label}: +(\\S.*)$`, "m").exec(text)?.[1]?.trim() ?? "";
    const [host, port] = [value("Cache server"), value("Cache port")];
    const [, age] = /^before ([\d.]+) s$/.exec(value("Last update")) ?? [];
    return [
      {
        name,
        isUp: state === "up",
        status: value("Status") || "Down",
        server: host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`,
        ageSec: age === undefined ? null : Number(age),
        roas: Number(/^(\d+) imported/.exec(value("Routes"))?.[1] ?? 0),
      },
    ];
  });
}
