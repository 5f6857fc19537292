/**
 * Live capture by XDP, beside libpcap: a program takes possible answers before the kernel makes packets of
 * them, and libpcap captures those that it leaves. Every packet comes by exactly one of them.
 *
 * A wake-up for each frame would cost more than the frame: after a first one this sleeps for libpcap's block
 * timeout, and takes all frames that have come by then. The program sets the timestamps, so the delay does
 * not affect them.
 */
import type { Prefix } from "../../lib/net/ip/prefix.ts";
import { attachXdp, createSocketMap, loadXdpProgram } from "../bpf/bpf.ts";
import type { xdpAttach } from "../bpf/constants.ts";
import {
  batchPacketsMax,
  blockTimeoutMs,
  Capture,
  type CaptureStats,
  type PacketSource,
  snapBytes,
} from "../capture.ts";
import { Clock } from "../clock.ts";
import type { Hotpath } from "../hotpath/hotpath.ts";
import { captureAt, captureBytes } from "../hotpath/memory-layout.ts";
import { libc, SystemError } from "../libc.ts";
import { pollin } from "../linux-abi.ts";
import type { Link } from "../netlink/link.ts";
import { queuesOf } from "../netlink/queues.ts";
import { noWakeUp, takeWakeUp } from "../wake-up.ts";
import { answerProgram } from "./answer-program.ts";
import { AnswerSocket } from "./answer-socket.ts";
import { AnswerTable } from "./answer-table.ts";

/** Frames of all queues together: 64 MiB, a sixth of a second at 200,000 answers/s. */
const framesInAll = 32_768;
const framesMin = 1024;
/** Bounds memory to 128 MiB. */
const queuesMax = 64;
/** Interval at which the host's addresses are read again. */
const lookEveryUs = 5_000_000;
/** Interval at which the kernel's drops are read: one call for each queue. */
const countEveryUs = 200_000;
/** Tries to read two clocks without an interruption in between. */
const clockTries = 3;
const clockGapUsMax = 5;

type Mode = keyof typeof xdpAttach;

export class XdpCapture implements PacketSource {
  readonly linkType: number;
  readonly fractionNs = 1;
  readonly recordsAt: number;
  readonly mode: Mode;
  readonly #hotpath: Hotpath;
  readonly #clock = new Clock();
  readonly #passed: Capture;
  readonly #sockets: AnswerSocket[] = [];
  readonly #descriptors: number[] = [];
  readonly #table: AnswerTable;
  readonly #waitMs: number;
  readonly #pollFds: Int32Array;
  #prefixes: readonly Prefix[] = [];
  #lookAtUs = 0;
  #countAtUs = 0;
  #lost = 0;
  #passedNext = false;

  /**
   * Takes nothing before `setSources`. Throws SystemError, EBUSY or EEXIST where the interface has a program or a queue
   * has a socket, and what Capture throws.
   */
  constructor(hotpath: Hotpath, link: Link, waitMs: number, wakeFd = noWakeUp) {
    this.#hotpath = hotpath;
    this.#waitMs = waitMs;
    this.#passed = new Capture(hotpath, link.name, 0);
    this.linkType = this.#passed.linkType;
    this.recordsAt = this.#passed.recordsAt;
    try {
      this.#table = new AnswerTable();
      this.#descriptors.push(this.#table.map);
      this.#openSockets(link);
      this.mode = this.#attach(link);
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
    const fds = [this.#passed.pollFd, ...this.#sockets.map(({ fd }) => fd), wakeFd];
    this.#pollFds = Int32Array.from(fds.flatMap((fd) => [fd, pollin]));
  }

  /** False when there are too many for the program; all answers then come by libpcap. */
  setSources(prefixes: readonly Prefix[]): boolean {
    this.#prefixes = prefixes;
    this.#lookAtUs = this.#clock.monotonicUs() + lookEveryUs;
    return this.#table.set(prefixes);
  }

  read(): number {
    const nowUs = this.#clock.monotonicUs();
    if (nowUs > this.#lookAtUs) {
      this.setSources(this.#prefixes);
    }
    if (nowUs > this.#countAtUs) {
      this.#countAtUs = nowUs + countEveryUs;
      this.#lost = this.#sockets.reduce((sum, socket) => sum + socket.dropped(), 0);
    }
    // Does not wait when there is work: it then only checks whether libpcap has some too.
    libc().poll(this.#pollFds, this.#pollFds.length / 2, this.#waiting() > 0 ? 0 : this.#waitMs);
    takeWakeUp(this.#pollFds, this.#pollFds.length / 2 - 1);
    const waiting = this.#waiting();
    if (waiting > 0 && waiting < batchPacketsMax / 2) {
      this.#clock.sleepUs(blockTimeoutMs * 1000);
    }
    // Alternates, so that much of one kind does not keep the other waiting.
    this.#passedNext = !this.#passedNext && (this.#pollFds[1] ?? 0) >> 16 !== 0;
    return this.#passedNext || waiting === 0 ? this.#passed.read() : this.#take();
  }

  /** The kernel's drop counts are some tenths of a second old. */
  stats(): CaptureStats {
    const { received, dropped, interfaceDropped } = this.#passed.stats();
    const lost = this.#lost;
    return { received: received + this.taken + lost, dropped: dropped + lost, interfaceDropped };
  }

  /** Frames received by the sockets. */
  get taken(): number {
    return this.#sockets.reduce((sum, { taken }) => sum + taken, 0);
  }

  [Symbol.dispose](): void {
    for (const fd of this.#descriptors.toReversed()) {
      libc().close(fd);
    }
    for (const socket of this.#sockets) {
      socket[Symbol.dispose]();
    }
    this.#passed[Symbol.dispose]();
  }

  #waiting(): number {
    return this.#sockets.reduce((sum, socket) => sum + socket.waiting(), 0);
  }

  #take(): number {
    const offset = this.#clockOffset();
    let from = this.recordsAt;
    for (const socket of this.#sockets) {
      from = socket.take({
        ...{ hotpath: this.#hotpath, from, to: captureAt + captureBytes, snapBytes, offset },
      });
    }
    return from;
  }

  #clockOffset(): { sec: number; ns: number } {
    let offsetUs = 0;
    for (let i = 0; i < clockTries; i++) {
      const beforeUs = this.#clock.monotonicUs();
      offsetUs = this.#clock.realtimeUs() - beforeUs;
      if (this.#clock.monotonicUs() - beforeUs < clockGapUsMax) {
        break;
      }
    }
    const sec = Math.floor(offsetUs / 1e6);
    return { sec, ns: Math.round((offsetUs - sec * 1e6) * 1000) };
  }

  #openSockets(link: Link): void {
    const queues = queuesOf(link.name, "rx");
    if (queues > queuesMax) {
      throw new Error(`${link.name} has ${queues} receive queues, more than ${queuesMax} (ethtool -L)`);
    }
    const frames = Math.max(framesMin, 2 ** Math.floor(Math.log2(framesInAll / queues)));
    for (let queue = 0; queue < queues; queue++) {
      this.#sockets.push(new AnswerSocket(link, queue, frames));
    }
  }

  #attach(link: Link): Mode {
    const sockets = createSocketMap(this.#sockets.map(({ fd }) => fd));
    this.#descriptors.push(sockets);
    const program = loadXdpProgram(answerProgram(this.#table.map, sockets));
    this.#descriptors.push(program);
    try {
      this.#descriptors.push(attachXdp(program, link.index, "native"));
      return "native";
    } catch (error) {
      if (!(error instanceof SystemError) || ["EBUSY", "EEXIST", "EPERM"].includes(error.errnoName)) {
        throw error;
      }
    }
    this.#descriptors.push(attachXdp(program, link.index, "generic"));
    return "generic";
  }
}
