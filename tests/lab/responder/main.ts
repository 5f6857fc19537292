/**
 * The responder process: reads probes from its port and writes the answers of the scenario, each when it is due.
 * Usage: main.ts tun|veth DEVICE [VLAN TAGS as JSON [TOPOLOGY FILE]]; with a topology, the simulator of discoveries
 * answers in place of the scenario. It ends when it is killed; its device goes with the namespace.
 */
import { readFileSync, writeSync } from "node:fs";
import { Clock } from "../../../ffi/clock.ts";
import { readSimulation } from "../../discovery/simulator/topology-file.ts";
import { Answerer } from "./answerer.ts";
import { DelayQueue } from "./delay-queue.ts";
import { openTunPort, type PacketPort, VethPort } from "./port.ts";
import { delayTarget, virtualTargetList } from "./scenario.ts";
import { SimulatedAnswerer } from "./simulated-answerer.ts";

/** 20,000 answers a second for 7 seconds, and some room. */
const waitingAnswersMax = 150_000;
/** Packets read in a row before due answers get their turn. */
const readsInRowMax = 64;
const packetBytesMax = 2048;
/** Shortest pause worth a poll, which counts whole milliseconds; below it, naps of at most `napUs`. */
const pollUsMin = 1000;
const napUs = 100;
const idlePollMs = 1000;

function serve(port: PacketPort, answerer: Pick<Answerer, "answer">): never {
  const clock = new Clock();
  const waiting = new DelayQueue(waitingAnswersMax);
  const received = new Uint8Array(packetBytesMax);
  let isFullReported = false;
  let moreMs = 0;

  const readSome = (): void => {
    for (let i = 0; i < readsInRowMax; i++) {
      const bytes = port.read(received);
      if (bytes === 0) {
        return;
      }
      const packet = received.subarray(0, bytes);
      moreMs = delayIn(packet) ?? moreMs;
      const answer = answerer.answer(packet);
      if (answer === null) {
        continue;
      }
      const delayMs = answer.delayMs + moreMs;
      for (let copies = answer.times ?? 1; copies > 1; copies--) {
        port.write(answer.packet);
      }
      if (delayMs === 0) {
        port.write(answer.packet);
      } else if (!waiting.push(answer.packet, clock.monotonicUs() + 1000 * delayMs) && !isFullReported) {
        isFullReported = true;
        process.stderr.write(`Cannot hold more than ${waitingAnswersMax} answers: further ones are lost\n`);
      }
    }
  };

  for (;;) {
    for (const now = clock.monotonicUs(); waiting.nextDueUs() <= now; ) {
      const packet = waiting.pop();
      if (packet !== undefined) {
        port.write(packet);
      }
    }
    const pauseUs = waiting.nextDueUs() - clock.monotonicUs();
    if (pauseUs >= pollUsMin) {
      port.wait(Math.min(idlePollMs, Math.floor(pauseUs / 1000)));
    } else if (!port.wait(0)) {
      clock.sleepUs(Math.min(napUs, pauseUs));
    }
    readSome();
  }
}

const [, , , delayHost] = delayTarget.split(".").map(Number);

/** What a packet to `delayTarget` asks for: IPv4 without options, UDP. Null for any other; each packet comes here. */
function delayIn(packet: Uint8Array): number | null {
  if (packet[19] !== delayHost || packet[0] !== 0x45 || packet[9] !== 17) {
    return null;
  }
  const isIt = packet.subarray(16, 20).join(".") === delayTarget;
  return isIt && packet.length >= 28 ? ((packet[22] ?? 0) << 8) | (packet[23] ?? 0) : null;
}

const [kind = "", device = "", tags = "[]", topologyFile = ""] = process.argv.slice(2);
const port = kind === "tun" ? openTunPort(device) : new VethPort(device, JSON.parse(tags));
const answerer =
  topologyFile === ""
    ? new Answerer(virtualTargetList)
    : new SimulatedAnswerer(readSimulation(readFileSync(topologyFile, "utf8")), new Clock());
writeSync(1, "ready\n");
serve(port, answerer);
