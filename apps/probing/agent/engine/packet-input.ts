/** Chooses how answers are received: by libpcap everywhere, by XDP where requested and available. */
import { Capture } from "../../../../ffi/capture.ts";
import type { Hotpath } from "../../../../ffi/hotpath/hotpath.ts";
import { SystemError } from "../../../../ffi/libc.ts";
import { findLink, type Link } from "../../../../ffi/netlink/link.ts";
import { noWakeUp } from "../../../../ffi/wake-up.ts";
import { XdpCapture } from "../../../../ffi/xdp-receive/xdp-capture.ts";
import type { InstanceConfig } from "./engine-types.ts";

type ReceiveBy = NonNullable<InstanceConfig["receive"]>;

interface PacketInput {
  readonly capture: Capture | XdpCapture;
  /** The same, where it is by XDP. */
  readonly xdp: XdpCapture | null;
  /** What differs from the request, and why; null = nothing. */
  readonly instead: string | null;
}

/** Throws Error, with the reason, when not even libpcap is available. */
export function openInput(
  hotpath: Hotpath,
  interfaceName: string,
  wanted: ReceiveBy,
  waitMs: number,
  wakeFd = noWakeUp,
): PacketInput {
  const link = wanted === "xdp" ? findLink(interfaceName) : null;
  const byPcap = (why: string | null) => ({
    capture: new Capture(hotpath, interfaceName, waitMs, wakeFd),
    xdp: null,
    instead: why === null ? null : `Answers on ${interfaceName} come by pcap, not by xdp: ${why}`,
  });
  if (link === null) {
    return byPcap(null);
  }
  if (link.loopback || link.layer === "ip") {
    return byPcap(`it is ${link.loopback ? "the loopback interface" : "a layer-3 interface"}`);
  }
  try {
    const capture = new XdpCapture(hotpath, link, waitMs, wakeFd);
    const generic = `Answers on ${interfaceName} come by xdp in generic mode: its driver takes no program, or not now`;
    return { capture, xdp: capture, instead: capture.mode === "generic" ? generic : null };
  } catch (error) {
    return byPcap(reasonOf(error, link));
  }
}

/** An interface has one receiver, so one instance that requests `xdp` is enough. */
export function receiveBy(instances: readonly InstanceConfig[], interfaceName: string): ReceiveBy {
  const asks = (instance: InstanceConfig) =>
    instance.interfaceName === interfaceName && instance.receive === "xdp";
  return instances.some(asks) ? "xdp" : "pcap";
}

/** Errors other than failed system calls are our bugs, or have the reason in their message. */
function reasonOf(error: unknown, { name }: Link): string {
  if (!(error instanceof SystemError)) {
    throw error;
  }
  switch (error.errnoName) {
    case "EBUSY":
    case "EEXIST":
      return (
        `another program, or the agent that runs, has ${name} or one of its queues ` +
        `(see: ip link show ${name}; ${error.message})`
      );
    case "EPERM":
    // The verifier, without CAP_PERFMON.
    case "EACCES":
      return `it needs root, or CAP_BPF, CAP_NET_ADMIN and CAP_PERFMON (${error.message})`;
    case "ENOBUFS":
      return `this process may lock too little memory (ulimit -l; ${error.message})`;
    default:
      return `this kernel cannot do it there (${error.message})`;
  }
}
