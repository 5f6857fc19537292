/** XDP features of an interface, from generic netlink's family `netdev` (Linux 6.3; linux/netdev.h). */
import { SystemError } from "../libc.ts";
import { genericCommand, netdevAttribute, netlinkGeneric, xdpFeature } from "./constants.ts";
import { decodeAttributes, encodeAttribute, encodeU32, type NetlinkMessage } from "./message.ts";
import { NetlinkSocket } from "./socket.ts";

const controllerFamily = 16;
const headerBytes = 4;

/**
 * Whether frames may be redirected to it (ndo_xdp_xmit). A veth can when its far end has GRO, or an XDP program. Null
 * on a kernel that does not report it.
 */
export function takesRedirectedFrames(interfaceIndex: number): boolean | null {
  using socket = new NetlinkSocket(netlinkGeneric);
  try {
    const name = new TextEncoder().encode("netdev\0");
    const family = ask(socket, controllerFamily, genericCommand.getFamily, 2, name).get(1);
    if (family === undefined) {
      return null;
    }
    const id = new DataView(family.buffer, family.byteOffset).getUint16(0, true);
    const device = ask(
      socket,
      id,
      genericCommand.getDevice,
      netdevAttribute.index,
      encodeU32(interfaceIndex),
    );
    const features = device.get(netdevAttribute.xdpFeatures);
    return features === undefined ? null : ((features[0] ?? 0) & xdpFeature.ndoXmit) !== 0;
  } catch (error) {
    if (error instanceof SystemError) {
      return null;
    }
    throw error;
  }
}

/** genlmsghdr: 0 command u8 | 1 version u8 | 2 reserved u16 | attributes. */
function ask(socket: NetlinkSocket, type: number, command: number, attribute: number, value: Uint8Array) {
  const header = Uint8Array.of(command, 1, 0, 0);
  const [answer]: readonly NetlinkMessage[] = socket.request(type, 0, [
    header,
    encodeAttribute(attribute, value),
  ]);
  return decodeAttributes(answer?.body.subarray(headerBytes) ?? new Uint8Array());
}
