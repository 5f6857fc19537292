import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gatewayCounterNames } from "./agent-counters.ts";
import { CrowdBoard } from "./consume/crowd-board.ts";
import { Counters } from "./engine/counters.ts";
import { InstanceControl } from "./engine/instance-control.ts";
import { SendInhibit } from "./engine/send-inhibit.ts";
import { GatewayClient } from "./gateway/gateway-client.ts";
import { keepOrders, noOrders } from "./gateway/orders.ts";
import type { Instance } from "./instances.ts";
import { LiveControl } from "./live-control.ts";

const instance: Instance = {
  ...{
    name: "any",
    instanceId: 1,
    interfaceName: "none",
    prefixes: [],
    rateProbesPerSec: 10,
    pacing: "sleep",
  },
  ...{
    batchProbesMax: 64,
    backEnd: "packet",
    receive: "pcap",
    packets: 1,
    minTtl: 1,
    maxTtl: 255,
    dryRun: true,
  },
};

function rig(stateDir: string) {
  const control = InstanceControl.allocate(1);
  const shared = { probes: new SharedArrayBuffer(0), counters: new SharedArrayBuffer(0) };
  const sendInhibit = SendInhibit.allocate();
  const rings = {
    senders: [{ instance, control: control.buffer, ...shared }],
    ...{ board: new SharedArrayBuffer(0), replies: [] },
  };
  const live = new LiveControl({
    engine: { rings, setSources: () => {} },
    instances: [instance],
    orders: noOrders,
    integrityCheck: true,
  });
  const credentials = { agentKey: null, agentSecret: null, enrolmentKey: "k".repeat(16) };
  const gateway = () =>
    new GatewayClient(
      {
        agentId: "west",
        gateway: { url: "http://192.0.2.1", ...credentials, reportIntervalMs: 1000 },
        stateDir,
        sendInhibit: sendInhibit.buffer,
        crowd: new CrowdBoard().buffer,
        counters: new Counters(gatewayCounterNames).buffer,
        stop: new SharedArrayBuffer(4),
      },
      () => {},
      () => {},
    );
  return { live, sendInhibit, control, gateway };
}

test("a kill that the gateway client has received stays when the file is read again", () => {
  const stateDir = mkdtempSync(join(tmpdir(), "live-control-"));
  try {
    const { live, sendInhibit, control, gateway } = rig(stateDir);
    // The client has it; the main thread, which applies the file, hasn't received it yet.
    keepOrders(stateDir, { ...noOrders, killed: true, paused: true });
    gateway();
    live.reload([{ ...instance, rateProbesPerSec: 20 }]);
    expect([sendInhibit.has("killed"), sendInhibit.has("paused"), control.rateProbesPerSec]).toEqual([
      true,
      true,
      20,
    ]);
  } finally {
    rmSync(stateDir, { recursive: true });
  }
});
