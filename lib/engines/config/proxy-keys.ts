/** Which proxies in front of a service are trusted to name the caller's address. */
import * as v from "valibot";
import { type Prefix, parsePrefix } from "../../net/ip/prefix.ts";
import { configKey } from "./shape.ts";
import { checkedText } from "./values.ts";

export const trustedProxiesKey = v.optional(
  v.array(
    configKey(
      checkedText((text) => parsePrefix(text) !== null, "must be a prefix, as 192.0.2.0/24"),
      { meaning: "Networks of proxies in front, whose `X-Forwarded-For` names the caller's address" },
    ),
  ),
  ["127.0.0.0/8", "::1/128"],
);

export function proxiesOf(texts: readonly string[]): Prefix[] {
  return texts.flatMap((text) => parsePrefix(text) ?? []);
}
