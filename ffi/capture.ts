/**
 * Live capture by libpcap, a whole batch at a time into the hot path's memory.
 *
 * `pcap_dispatch` calls the native `pcap_dump` for each packet, which writes to a stream over the memory
 * (`fmemopen`): so a batch costs a constant number of calls from JavaScript and no callback into it. The
 * records are those of a pcap savefile: seconds u32 | fraction u32 | captured u32 | length u32 | bytes.
 */
import { captureFilter } from "./capture-filter.ts";
import type { Hotpath } from "./hotpath/hotpath.ts";
import * as at from "./hotpath/memory-layout.ts";
import { cString, type Handle, libc, pointerOf } from "./libc.ts";
import { libpcap, pcapDumpAddress } from "./libpcap.ts";
import { pollin } from "./linux-abi.ts";
import { noWakeUp, takeWakeUp } from "./wake-up.ts";

/** Enough for an ICMP error of 576 bytes (RFC 1812 s.4.3.2.3) and any link header. */
const snapBytes = 640;
const recordHeaderBytes = 16;
const savefileHeaderBytes = 24;
/** Most packets of one read. */
export const batchPacketsMax = Math.floor(
  (at.captureBytes - savefileHeaderBytes) / (snapBytes + recordHeaderBytes),
);

/** The kernel's ring: 32 MiB hold about a quarter of a second at 200,000 answers/s. */
const ringBytes = 32 << 20;
/**
 * A block of the ring is passed on at this age, full or not. Younger packets are lost if the process dies, so it is
 * short; each block costs a wake-up, an idle interface none.
 */
const blockTimeoutMs = 2;
const errorBytes = 256;
const directionIn = 1;
const precisionNano = 1;
const linkTypeEthernet = 1;
const netmaskUnknown = 0xffff_ffff;

/** Failures of pcap_activate that a user can fix, by the numbers of pcap/pcap.h; $ = interface. */
const activateFailures: Readonly<Record<number, string>> = {
  [-5]: "no such interface (see: ip link)",
  [-8]: "it needs CAP_NET_RAW (run as root, or grant it)",
  [-9]: "the interface is down (see: ip link set $ up)",
};

interface CaptureStats {
  readonly received: number;
  /** Lost because the ring was full. */
  readonly dropped: number;
  /** Lost by the interface itself. */
  readonly interfaceDropped: number;
}

interface CaptureOptions {
  readonly waitMs: number;
  /** Name servers' answers too; default: false. */
  readonly dns?: boolean;
  readonly wakeFd?: number;
}

export class Capture implements PacketSource {
  readonly linkType: number;
  readonly fractionNs = 1;
  readonly recordsAt = at.captureAt + savefileHeaderBytes;
  readonly #pcap: Handle;
  readonly #dumper: Handle;
  readonly #dump = pcapDumpAddress();
  readonly #waitMs: number;
  readonly #pollFds: Int32Array;
  readonly #stats = new Uint32Array(3);
  readonly #hotpath: Hotpath;

  /**
   * `read` waits at most `waitMs` for a first packet, or until `wakeFd` is readable: see WakeUp. Throws an Error that
   * names the interface and the reason.
   */
  constructor(
    hotpath: Hotpath,
    interfaceName: string,
    { waitMs, dns = false, wakeFd = noWakeUp }: CaptureOptions,
  ) {
    this.#hotpath = hotpath;
    this.#waitMs = waitMs;
    this.#pcap = open(interfaceName);
    try {
      this.linkType = libpcap().pcap_datalink(this.#pcap);
      this.#setFilter(interfaceName, dns);
      this.#pollFds = Int32Array.of(libpcap().pcap_get_selectable_fd(this.#pcap), pollin, wakeFd, pollin);
      this.#dumper = openDumper(this.#pcap, hotpath);
    } catch (error) {
      libpcap().pcap_close(this.#pcap);
      throw error;
    }
  }

  read(): number {
    const pcap = libpcap();
    libc().poll(this.#pollFds, 2, this.#waitMs);
    takeWakeUp(this.#pollFds, 1);
    this.#rewind();
    const count = pcap.pcap_dispatch(this.#pcap, batchPacketsMax, this.#dump, this.#dumper);
    if (count < 0) {
      throw new Error(`Cannot capture: ${pcap.pcap_geterr(this.#pcap)}`);
    }
    if (count === 0) {
      return this.recordsAt;
    }
    pcap.pcap_dump_flush(this.#dumper);
    return at.captureAt + Number(pcap.pcap_dump_ftell(this.#dumper));
  }

  /** Readable when packets have arrived; owned by this class. */
  get pollFd(): number {
    return this.#pollFds[0] ?? -1;
  }

  stats(): CaptureStats {
    libpcap().pcap_stats(this.#pcap, this.#stats);
    const [received = 0, dropped = 0, interfaceDropped = 0] = this.#stats;
    return { received, dropped, interfaceDropped };
  }

  [Symbol.dispose](): void {
    libpcap().pcap_dump_close(this.#dumper);
    libpcap().pcap_close(this.#pcap);
    this.#hotpath.bytes.fill(0, at.captureAt, this.recordsAt);
  }

  #rewind(): void {
    libc().fseek(this.#dumper, savefileHeaderBytes, 0);
  }

  #setFilter(interfaceName: string, dns: boolean): void {
    const pcap = libpcap();
    const program = new Uint8Array(16);
    const text = cString(captureFilter({ vlan: this.linkType === linkTypeEthernet, dns }));
    const compiled = pcap.pcap_compile(this.#pcap, program, text, 1, netmaskUnknown);
    if (compiled !== 0 || pcap.pcap_setfilter(this.#pcap, program) !== 0) {
      throw new Error(`Cannot filter packets of ${interfaceName}: ${pcap.pcap_geterr(this.#pcap)}`);
    }
    pcap.pcap_freecode(program);
  }
}

function open(interfaceName: string): Handle {
  const pcap = libpcap();
  const errorText = new Uint8Array(errorBytes);
  const handle = pcap.pcap_create(cString(interfaceName), errorText);
  if (handle === null) {
    throw new Error(`Cannot capture on ${interfaceName}: ${textOf(errorText)}`);
  }
  pcap.pcap_set_snaplen(handle, snapBytes);
  pcap.pcap_set_promisc(handle, 0);
  pcap.pcap_set_timeout(handle, blockTimeoutMs);
  pcap.pcap_set_buffer_size(handle, ringBytes);
  pcap.pcap_set_tstamp_precision(handle, precisionNano);
  const status = pcap.pcap_activate(handle);
  if (status < 0) {
    const known = activateFailures[status]?.replace("$", interfaceName);
    const reason = known ?? `${pcap.pcap_statustostr(status)} (${pcap.pcap_geterr(handle)})`;
    pcap.pcap_close(handle);
    throw new Error(`Cannot capture on ${interfaceName}: ${reason}`);
  }
  // Our own probes are not answers; on loopback libpcap shows each packet once anyway.
  pcap.pcap_setdirection(handle, directionIn);
  pcap.pcap_setnonblock(handle, 1, errorText);
  return handle;
}

/** A dumper is its FILE: closing it closes the stream, and the stream never owned the memory. */
function openDumper(handle: Handle, hotpath: Hotpath): Handle {
  const region = hotpath.bytes.subarray(at.captureAt, at.captureAt + at.captureBytes);
  const stream = libc().fmemopen(pointerOf(region), region.length, cString("w"));
  const dumper = stream === null ? null : libpcap().pcap_dump_fopen(handle, stream);
  if (dumper === null) {
    throw new Error("Cannot open a stream over the capture memory");
  }
  return dumper;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
}

/** A source of captured packets: a live interface, or a file. */
export interface PacketSource extends Disposable {
  /** LINKTYPE_*, see tests/packet/link-layer.ts. */
  readonly linkType: number;
  /** Unit of the stamps' fraction. */
  readonly fractionNs: 1 | 1000;
  /** Where the records of each `read` start in the hot path's memory. */
  readonly recordsAt: number;
  /**
   * Moves the next packets into memory as pcap records; returns where they end (`recordsAt` without packets so far),
   * or -1 at the end of the source.
   */
  read(): number;
}
