/** The configuration of the collector: which routers may send it routes, and where they go. */
import * as v from "valibot";
import { wholeNumber } from "../../../lib/base/api/fields.ts";
import { recordBytesMax } from "../../../lib/engines/broker/broker.ts";
import {
  type ListenAddress,
  listenAddress,
  listenAt,
  parseListenAddress,
  webAddress,
} from "../../../lib/engines/config/addresses.ts";
import { brokersKey, publisherConfig } from "../../../lib/engines/config/broker-keys.ts";
import { loginKeys } from "../../../lib/engines/config/broker-login.ts";
import { defaultPorts } from "../../../lib/engines/config/default-ports.ts";
import type { Environment } from "../../../lib/engines/config/environment.ts";
import { type Contradiction, loadConfig } from "../../../lib/engines/config/load-config.ts";
import { proxiesOf, trustedProxiesKey } from "../../../lib/engines/config/proxy-keys.ts";
import {
  configKey,
  keyWithDefault,
  numberKey,
  optionalKey,
  section,
} from "../../../lib/engines/config/shape.ts";
import { checkedText, filled } from "../../../lib/engines/config/values.ts";
import type { YamlSource } from "../../../lib/engines/config/yaml-file.ts";
import { type Address, parseAddress } from "../../../lib/net/ip/address.ts";
import { type Prefix, parsePrefix } from "../../../lib/net/ip/prefix.ts";
import { probesTopic } from "../../../lib/net/wire/target-header.ts";
import { refusalMarks } from "../../../lib/peering/policy/refusal.ts";
import * as limits from "./limits.ts";

const network = checkedText((text) => parsePrefix(text) !== null, "must be an address or a prefix");
const routerAddress = checkedText((text) => parseAddress(text) !== null, "must be an address");
const largeCommunity = checkedText(
  (text) => /^\d{1,10}:\d{1,10}:\d{1,10}$/.test(text),
  "must be a large community, as 64500:65520:1",
);

const cacheAddress = checkedText(
  (text) => (parseListenAddress(text)?.port ?? 0) > 0,
  "must be HOST:PORT, as 127.0.0.1:323 or [2001:db8::1]:323",
);

export const collectorSchema = v.object({
  collector: section({
    address: keyWithDefault(
      listenAddress("ADDRESS:PORT, as 127.0.0.1:8096"),
      `127.0.0.1:${defaultPorts.collector}`,
      { meaning: "Where its HTTP listens: status, health, metrics" },
    ),
    state_dir: keyWithDefault(filled, "/var/lib/vantage/collector", {
      meaning: "Folder for the routes that stand, so that a restart knows what went meanwhile",
    }),
    trusted_proxies: trustedProxiesKey,
    hold_sec: numberKey([1, limits.holdSecMax], limits.holdSecDefault, {
      meaning: "How long a router may take to say its tables again; what it has not said then is withdrawn",
      unit: "s",
    }),
  }),
  bmp: section({
    address: keyWithDefault(listenAddress("ADDRESS:PORT, as [::]:11019"), `127.0.0.1:${defaultPorts.bmp}`, {
      meaning: "Where routers connect to by BMP",
    }),
    routers: keyWithDefault(v.array(network), [], {
      meaning: "Addresses and networks of routers that may",
      otherwise: "none",
    }),
    sessions_max: numberKey([1, limits.sessionsMax], limits.sessionsDefault, {
      meaning: "Routers that are connected at once",
    }),
  }),
  mrt: v.optional(
    v.array(
      v.object({
        file: configKey(filled, {
          meaning: "File that BIRD writes by `mrtdump`: followed, also when it is rotated",
        }),
        router: configKey(routerAddress, { meaning: "Address by which this BIRD is shown" }),
        control_socket: optionalKey(filled, {
          meaning: "Its control socket: BIRD is asked what it has refused (`import keep filtered`)",
          otherwise: "its refusals are unknown",
        }),
        policy_generator: optionalKey(webAddress, {
          meaning: "Policy generator of this exchange server: it says why users' routes were refused",
          otherwise: "marks say it",
        }),
      }),
    ),
    [],
  ),
  reject_reasons: v.optional(
    v.array(
      v.object({
        community: configKey(largeCommunity, { meaning: "Large community that marks a rejected route" }),
        reason: configKey(filled, { meaning: "What it means, in words" }),
      }),
    ),
    [],
  ),
  platform_asn: optionalKey(wholeNumber(1, 4_294_967_295), {
    meaning: "AS number of the platform: marks of its exchange servers are read as reasons",
    otherwise: "reject_reasons alone",
  }),
  rpki: section({
    vrps_file: optionalKey(filled, {
      meaning: "File of VRPs as JSON, of routinator or rpki-client: routes are validated by it",
      otherwise: "routes are not validated here",
    }),
    rtr: v.optional(
      v.pipe(
        v.array(
          v.object({
            address: configKey(cacheAddress, {
              meaning: "RPKI cache that sends its VRPs by RTR, in place of a file: `HOST:PORT`, by plain TCP",
            }),
          }),
        ),
        v.minLength(1, "must have one cache or two"),
        v.maxLength(limits.rtrCachesMax, "must have one cache or two"),
      ),
    ),
  }),
  kafka: v.object({ brokers: brokersKey, ...loginKeys }),
});

type Given = v.InferOutput<typeof collectorSchema>;

export interface MrtSource {
  readonly file: string;
  readonly router: Address;
  readonly controlSocket: string | null;
  /** Without a slash at its end. */
  readonly policyGenerator: string | null;
}

export interface CollectorConfig {
  readonly listen: ListenAddress;
  readonly stateDir: string;
  /** May set X-Forwarded-For. */
  readonly trustedProxies: readonly Prefix[];
  readonly holdMs: number;
  readonly bmp: {
    readonly listen: ListenAddress;
    readonly routers: readonly Prefix[];
    readonly sessionsMax: number;
  };
  readonly mrt: readonly MrtSource[];
  readonly rejectReasons: ReadonlyMap<string, string>;
  /** At most one of both; with neither, routes are not validated here. */
  readonly rpki: { readonly vrpsFile: string | null; readonly rtr: readonly ListenAddress[] };
  readonly broker: Pick<ReturnType<typeof publisherConfig>, "address" | "login">;
}

function contradictions({ rpki: { vrps_file: file, rtr = [] } }: Given): Contradiction[] {
  const path = ["rpki", "rtr"];
  const [first, second] = rtr.map(({ address }) => address);
  return [
    ...(file === undefined || rtr.length === 0 ? [] : [{ path, reason: "give either rtr or vrps_file" }]),
    ...(first === undefined || first !== second ? [] : [{ path, reason: "must be two different caches" }]),
  ];
}

/** Throws ConfigError with every problem. */
export function readCollectorConfig(source: YamlSource, environment: Environment): CollectorConfig {
  const environmentPrefixes = ["VANTAGE_COLLECTOR_"];
  const given = loadConfig({
    schema: collectorSchema,
    source,
    environment,
    environmentPrefixes,
    contradictions,
  });
  const { collector, bmp, mrt, reject_reasons: reasons, kafka } = given;
  return {
    listen: listenAt(collector.address),
    stateDir: collector.state_dir,
    trustedProxies: proxiesOf(collector.trusted_proxies),
    holdMs: 1000 * collector.hold_sec,
    bmp: {
      listen: listenAt(bmp.address),
      routers: bmp.routers.map(parsePrefix).filter((one) => one !== null),
      sessionsMax: bmp.sessions_max,
    },
    mrt: mrt.flatMap(({ file, router: text, control_socket, policy_generator }) => {
      const router = parseAddress(text);
      const controlSocket = control_socket ?? null;
      const policyGenerator = policy_generator?.replace(/\/+$/, "") ?? null;
      return router === null ? [] : [{ file, router, controlSocket, policyGenerator }];
    }),
    rejectReasons: new Map([
      ...(given.platform_asn === undefined ? [] : refusalMarks(given.platform_asn)),
      ...reasons.map(({ community, reason }) => [community, reason] as const),
    ]),
    rpki: {
      vrpsFile: given.rpki.vrps_file ?? null,
      rtr: (given.rpki.rtr ?? []).map(({ address }) => listenAt(address)),
    },
    broker: publisherConfig(kafka.brokers, {
      ...kafka,
      in_topics: probesTopic,
      message_max_bytes: recordBytesMax,
    }),
  };
}
