/** The agent's own workers, beside those of the engine: consumer, producer, gateway client. */
import { findLink } from "../../../ffi/netlink/link.ts";
import {
  consumerCounterNames,
  feedCounterNames,
  gatewayCounterNames,
  producerCounterNames,
  recorderCounterNames,
} from "./agent-counters.ts";
import type { AgentConfig, AgentGatewayConfig } from "./config/config.ts";
import type { ConsumerStart } from "./consume/consumer.ts";
import { consumerUrl } from "./consume/consumer-url.ts";
import { CrowdBoard } from "./consume/crowd-board.ts";
import type { DestinationFiles } from "./consume/destinations.ts";
import type { SenderFeedStart } from "./consume/sender-feed.ts";
import { Counters } from "./engine/counters.ts";
import type { SenderRings, SharedEngine } from "./engine/engine-types.ts";
import { keptNames, type MemoryMaker, plainMemory } from "./engine/shared-memory.ts";
import { WorkerHandle } from "./engine/worker-handle.ts";
import { blocklistPath } from "./gateway/blocklist-file.ts";
import type { GatewayStart } from "./gateway/gateway-messages.ts";
import { gatewayUrl } from "./gateway/gateway-url.ts";
import { findInstance, type Instance } from "./instances.ts";
import type { KeptMemory } from "./keep/kept-memory.ts";
import { measurementsMax } from "./limits.ts";
import type { LiveControl } from "./live-control.ts";
import { MeasurementTable } from "./measurement-table.ts";
import { BatchLedger } from "./produce/batch-ledger.ts";
import type { ProducerStart } from "./produce/producer.ts";
import { producerUrl } from "./produce/producer-url.ts";
import type { RecorderStart } from "./record/recorder.ts";
import { recorderUrl } from "./record/recorder-url.ts";

/** An instance with the counters before its ring: one object, so that counters cannot be mixed up. */
export interface CountedInstance extends Instance {
  /** Counters named by `feedCounterNames`. */
  readonly feedCounters: SharedArrayBuffer;
}

/** Memory shared with the main thread. */
export interface Parts {
  readonly config: AgentConfig;
  readonly instances: readonly CountedInstance[];
  readonly measurements: MeasurementTable;
  readonly crowd: CrowdBoard;
  readonly consumerCounters: Counters<(typeof consumerCounterNames)[number]>;
  readonly producerCounters: Counters<(typeof producerCounterNames)[number]>;
  readonly gatewayCounters: Counters<(typeof gatewayCounterNames)[number]>;
  readonly recorderCounters: Counters<(typeof recorderCounterNames)[number]>;
}

type AgentEngine = Pick<SharedEngine<CountedInstance>, "rings" | "sendInhibit" | "recorded">;

export function partsOf(config: AgentConfig, memory: MemoryMaker = plainMemory): Parts {
  return {
    config,
    instances: config.probers.map((prober) => ({
      ...findInstance(prober),
      feedCounters: new Counters(feedCounterNames).buffer,
    })),
    measurements: MeasurementTable.allocate(measurementsMax, memory),
    crowd: new CrowdBoard(),
    consumerCounters: new Counters(consumerCounterNames),
    producerCounters: new Counters(producerCounterNames),
    gatewayCounters: new Counters(gatewayCounterNames),
    recorderCounters: new Counters(recorderCounterNames),
  };
}

export function destinationFiles({
  blocklistFile,
  allowlistFile,
  blocksReservedRanges,
  gateway,
  stateDir,
}: AgentConfig): DestinationFiles {
  return {
    blocklist: blocklistFile,
    allowlist: allowlistFile,
    gateway: gateway === null ? null : blocklistPath(stateDir),
    blocksReservedRanges,
  };
}

/** Kept memory belongs to this run once it has started. */
export function startProducer(
  { config, instances, ...parts }: Parts,
  engine: AgentEngine,
  memory: KeptMemory,
): Promise<WorkerHandle> {
  const { agentId, broker, stateDir, spoolBytesMax, anycastPeers } = config;
  const own = instances.map(({ instanceId }) => ({ agentId, instanceId }));
  const senders = [...own, ...anycastPeers];
  const receivers = engine.rings.replies.map(({ interfaceName, ring }) => {
    const ledger = memory.make(keptNames.ledger(interfaceName), BatchLedger.bytes);
    return { interfaceName, ring, ledger, producer: crypto.getRandomValues(new Uint8Array(8)).toHex() };
  });
  memory.begin({
    ...{ agentId, senders, repliesPerRecord: broker.repliesPerRecord, recordBytesMax: broker.recordBytesMax },
    receivers: receivers.map(({ interfaceName, producer }) => ({ interfaceName, producer })),
    instances: instances.map(({ instanceId }) => instanceId),
  });
  const worker = new Worker(producerUrl);
  return WorkerHandle.start(
    worker,
    (stop): ProducerStart => ({
      agentId,
      senders,
      broker,
      stateDir,
      spoolBytesMax,
      replies: receivers,
      measurements: parts.measurements.buffer,
      board: engine.rings.board,
      sendInhibit: engine.sendInhibit,
      counters: parts.producerCounters.buffer,
      stop,
    }),
  );
}

interface ConsumerParts extends Pick<ConsumerStart, "left" | "isKept"> {
  readonly control: LiveControl;
}

export function startConsumer(
  { config, ...parts }: Parts,
  engine: AgentEngine,
  { control, left, isKept }: ConsumerParts,
): Promise<WorkerHandle> {
  const { agentId, broker, stateDir } = config;
  const { senders, board } = engine.rings;
  const worker = new Worker(consumerUrl, { smol: true });
  return WorkerHandle.start(
    worker,
    (stop): ConsumerStart => ({
      agentId,
      broker,
      stateDir,
      feeds: senders.map(senderFeedOf),
      prefixes: control.prefixes,
      destinations: destinationFiles(config),
      left,
      isKept,
      destinationRates: config.destinationRates,
      allowsDns: config.allowsDns,
      crowd: parts.crowd.buffer,
      cancelled: control.orders.cancelled,
      counters: parts.consumerCounters.buffer,
      measurements: parts.measurements.buffer,
      board,
      recorded: config.gateway === null ? null : engine.recorded.buffer,
      stop,
    }),
  );
}

/** With a gateway only, as recordings are uploaded to it. */
export function startRecorder(
  { config, measurements, recorderCounters }: Parts,
  engine: AgentEngine & Pick<SharedEngine, "taps">,
): Promise<WorkerHandle> {
  const worker = new Worker(recorderUrl, { smol: true });
  return WorkerHandle.start(
    worker,
    (stop): RecorderStart => ({
      stateDir: config.stateDir,
      taps: engine.taps.map(({ interfaceName, tap }) => {
        return { interfaceName, tap: tap.buffer, layer: findLink(interfaceName)?.layer ?? "ethernet" };
      }),
      recorded: engine.recorded.buffer,
      measurements: measurements.buffer,
      counters: recorderCounters.buffer,
      stop,
    }),
  );
}

/** The consumer's view of an instance and its sender. */
export function senderFeedOf({
  instance,
  counters,
  ...shared
}: SenderRings<CountedInstance>): SenderFeedStart {
  const { minTtl, maxTtl, packets, feedCounters } = instance;
  return { ...shared, minTtl, maxTtl, packets, senderCounters: counters, counters: feedCounters };
}

export function startGateway(
  { config, crowd, gatewayCounters }: Parts,
  gateway: AgentGatewayConfig,
  engine: AgentEngine,
): Promise<WorkerHandle> {
  const { agentId, stateDir } = config;
  const worker = new Worker(gatewayUrl);
  return WorkerHandle.start(
    worker,
    (stop): GatewayStart => ({
      agentId,
      gateway,
      stateDir,
      sendInhibit: engine.sendInhibit,
      crowd: crowd.buffer,
      counters: gatewayCounters.buffer,
      stop,
    }),
  );
}
