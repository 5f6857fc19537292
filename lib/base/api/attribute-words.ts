/** An announcement's options besides prepends, in words, for commands and the console. Pure. */
import type { RouteAttributes } from "./announcements.ts";

export function attributesInWords(row: RouteAttributes): string[] {
  const { poison, blackhole, not_to, only_to, prepend_to, no_export, graceful_shutdown } = row;
  return [
    ...poison.map((asn) => `poison AS${asn}`),
    ...blackhole.map((address) => `blackhole ${address}`),
    ...not_to.map((asn) => `not to AS${asn}`),
    ...only_to.map((asn) => `only to AS${asn}`),
    ...Object.entries(prepend_to).map(([asn, times]) => `+${times} to AS${asn}`),
    ...(no_export ? ["no export"] : []),
    ...(graceful_shutdown ? ["graceful shutdown"] : []),
  ];
}
