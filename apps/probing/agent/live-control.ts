/**
 * Settings that can change at run time, and their recipients: rates, pauses and source prefixes of instances,
 * measurements to stop. They come from the file when it is reloaded, and from the gateway, which takes precedence.
 * Kill and pause of the whole agent belong to the gateway client (gateway/gateway-client.ts), which receives them
 * first.
 */
import type { AgentInstance } from "../../../lib/measuring/probing/agent-config.ts";
import { formatPrefix, type Prefix } from "../../../lib/net/ip/prefix.ts";
import type { ConsumerOrder } from "./consume/consumer-orders.ts";
import type { SharedEngine } from "./engine/engine-types.ts";
import { InstanceControl } from "./engine/instance-control.ts";
import { type EffectiveConfig, effectiveConfig, type Refusal } from "./gateway/effective-config.ts";
import type { GatewayOrders } from "./gateway/orders.ts";
import type { Instance } from "./instances.ts";
import { sourcesKeptMax } from "./limits.ts";

interface LiveControlParts {
  readonly engine: Pick<SharedEngine, "rings" | "setSources">;
  readonly instances: readonly Instance[];
  readonly orders: GatewayOrders;
  readonly integrityCheck: boolean;
}

const methods = { sleep: "sleep", spin: "active", none: "none" } as const;

export class LiveControl {
  readonly #engine: LiveControlParts["engine"];
  readonly #controls: readonly InstanceControl[];
  readonly #integrityCheck: boolean;
  /** The newest version of `desired` that each instance follows in full. */
  readonly #versions = new Map<string, number>();
  #instances: readonly Instance[];
  #orders: GatewayOrders;
  #effective: EffectiveConfig;
  /** Newest first: replies to probes in flight still arrive at previous sources. */
  #sources: readonly Prefix[] = [];
  /** Set once the consumer runs. */
  tellConsumer: (order: ConsumerOrder) => void = () => {};

  constructor({ engine, instances, orders, integrityCheck }: LiveControlParts) {
    this.#engine = engine;
    this.#controls = engine.rings.senders.map(({ control }) => new InstanceControl(control));
    this.#integrityCheck = integrityCheck;
    this.#instances = instances;
    this.#orders = orders;
    this.#effective = effectiveConfig(instances, orders.desired);
    this.#apply();
  }

  get orders(): GatewayOrders {
    return this.#orders;
  }

  /** The prefixes of each instance, in the order of the file. */
  get prefixes(): readonly (readonly Prefix[])[] {
    return this.#effective.instances.map(({ prefixes }) => prefixes);
  }

  get refused(): readonly Refusal[] {
    return this.#effective.refused;
  }

  /** Applies new orders of the gateway. */
  obey(orders: GatewayOrders): void {
    this.#orders = orders;
    this.#change();
    this.tellConsumer({ kind: "cancel", measurementIds: orders.cancelled });
  }

  /** Applies a changed file; it has the same instances, in the same order. */
  reload(instances: readonly Instance[]): void {
    this.#instances = instances;
    this.#change();
  }

  /** The active configuration, as posted to the gateway. */
  posted(): AgentInstance[] {
    return this.#instances.map((instance, i): AgentInstance => {
      const effective = this.#effective.instances[i];
      const first = (family: 4 | 6) => {
        const prefix = effective?.prefixes.find((candidate) => candidate.family === family);
        return prefix === undefined ? null : formatPrefix(prefix);
      };
      return {
        name: instance.name,
        batch_size: instance.batchProbesMax,
        instance_id: instance.instanceId,
        dry_run: instance.dryRun,
        min_ttl: instance.minTtl,
        max_ttl: instance.maxTtl,
        integrity_check: this.#integrityCheck,
        interface: instance.interfaceName,
        src_ipv4_prefix: first(4),
        src_ipv6_prefix: first(6),
        packets: instance.packets,
        probing_rate: effective?.rateProbesPerSec ?? instance.rateProbesPerSec,
        rate_limiting_method: methods[instance.pacing],
        paused: effective?.isPaused ?? false,
        config_version: this.#versions.get(instance.name) ?? null,
      };
    });
  }

  #change(): void {
    const before = JSON.stringify(this.prefixes.map((prefixes) => prefixes.map(formatPrefix)));
    this.#effective = effectiveConfig(this.#instances, this.#orders.desired);
    this.#apply();
    if (before !== JSON.stringify(this.prefixes.map((prefixes) => prefixes.map(formatPrefix)))) {
      this.tellConsumer({ kind: "sources", prefixes: this.prefixes });
    }
  }

  /** Receivers first: no reply may arrive at a source that they don't accept yet. */
  #apply(): void {
    const { instances, refused } = this.#effective;
    this.#listenTo(instances.flatMap(({ prefixes }) => prefixes));
    for (const [i, { name, rateProbesPerSec, isPaused }] of instances.entries()) {
      this.#controls[i]?.setRate(rateProbesPerSec);
      this.#controls[i]?.setPaused(isPaused);
      if (refused.every(({ instance }) => instance !== name)) {
        this.#versions.set(name, this.#orders.config_version);
      }
    }
  }

  #listenTo(prefixes: readonly Prefix[]): void {
    const byText = new Map([...prefixes, ...this.#sources].map((prefix) => [formatPrefix(prefix), prefix]));
    const sources = [...byText.values()].slice(0, Math.max(sourcesKeptMax, prefixes.length));
    this.#sources = sources;
    this.#engine.setSources(sources);
  }
}
