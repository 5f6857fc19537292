/** Chooses how frames leave: `packet` everywhere, `xdp` where requested and available. */
import type { FrameSender } from "../../../../ffi/frame-sender.ts";
import type { Hotpath } from "../../../../ffi/hotpath/hotpath.ts";
import { paddedBytesMaxAt } from "../../../../ffi/hotpath/memory-layout.ts";
import { SystemError } from "../../../../ffi/libc.ts";
import { LoopbackSocket } from "../../../../ffi/loopback-socket.ts";
import type { Link } from "../../../../ffi/netlink/link.ts";
import { queuesOf } from "../../../../ffi/netlink/queues.ts";
import { PacketSocket } from "../../../../ffi/packet-socket.ts";
import { XdpSocket } from "../../../../ffi/xdp-socket.ts";

type BackEnd = FrameSender["backEnd"];

interface OpenedBackEnd {
  readonly sender: FrameSender;
  /** Why it is not the requested back end; null when it is. */
  readonly instead: string | null;
}

/** Errors of a kernel or driver without AF_XDP. */
const absentErrors = ["EAFNOSUPPORT", "EOPNOTSUPP", "EINVAL", "ENOPROTOOPT"];

/** Throws SystemError when not even `packet` is available: without CAP_NET_RAW. */
export function openBackEnd(hotpath: Hotpath, link: Link, wanted: BackEnd): OpenedBackEnd {
  if (wanted === "packet") {
    return { sender: openPacket(hotpath, link), instead: null };
  }
  if (link.loopback || link.layer === "ip") {
    const instead = `${link.name} is ${link.loopback ? "the loopback interface" : "a layer-3 interface"}`;
    return { sender: openPacket(hotpath, link), instead };
  }
  return openXdp(hotpath, link);
}

function openXdp(hotpath: Hotpath, link: Link): OpenedBackEnd {
  let instead = "";
  for (let queue = 0; queue < queuesOf(link.name, "tx"); queue++) {
    try {
      return { sender: new XdpSocket(hotpath, link, queue), instead: null };
    } catch (error) {
      if (!(error instanceof SystemError)) {
        throw error;
      }
      if (error.errnoName === "EBUSY") {
        instead = `every transmit queue of ${link.name} has an AF_XDP socket already`;
        continue;
      }
      if (!absentErrors.includes(error.errnoName)) {
        throw error;
      }
      instead = `this kernel cannot do it on ${link.name} (${error.errnoName})`;
      break;
    }
  }
  return { sender: openPacket(hotpath, link), instead };
}

function openPacket(hotpath: Hotpath, link: Link): FrameSender {
  return link.loopback ? new LoopbackSocket(hotpath, link) : new PacketSocket(hotpath, link);
}

/** Why a probe with a size cannot be sent. */
export function tooLargeFor({ view }: Hotpath, { backEnd }: FrameSender): string {
  const bytesMax = view.getUint32(paddedBytesMaxAt, true);
  const limit = `the back end ${backEnd} sends no frame with a size of more than ${bytesMax} bytes`;
  return `${limit} here (use packet, or a smaller size)`;
}
