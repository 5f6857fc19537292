import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageBytes } from "./hotpath/memory-layout.ts";
import * as abi from "./linux-abi.ts";
import * as netlink from "./netlink/constants.ts";

/** C expression and our number for it. */
const expectations: [string, number][] = [
  ["AF_INET", abi.afInet],
  ["AF_INET6", abi.afInet6],
  ["AF_NETLINK", abi.afNetlink],
  ["AF_PACKET", abi.afPacket],
  ["SOCK_DGRAM", abi.sockDgram],
  ["SOCK_RAW", abi.sockRaw],
  ["SOCK_NONBLOCK", abi.sockNonblock],
  ["SOCK_CLOEXEC", abi.sockCloexec],
  ["IPPROTO_RAW", abi.ipprotoRaw],
  ["EFD_NONBLOCK", abi.efdNonblock],
  ["EFD_CLOEXEC", abi.efdCloexec],
  ["SOL_SOCKET", abi.solSocket],
  ["SO_SNDBUF", abi.soSndbuf],
  ["SO_RCVBUF", abi.soRcvbuf],
  ["SO_RCVTIMEO", abi.soRcvtimeo],
  ["SO_RCVBUFFORCE", abi.soRcvbufforce],
  ["SOL_PACKET", abi.solPacket],
  ["PACKET_QDISC_BYPASS", abi.packetQdiscBypass],
  ["PACKET_IGNORE_OUTGOING", abi.packetIgnoreOutgoing],
  ["htons(ETH_P_ALL)", abi.ethPAllNetworkOrder],
  ["AF_XDP", abi.afXdp],
  ["SOL_XDP", abi.solXdp],
  ["XDP_MMAP_OFFSETS", abi.xdpMmapOffsets],
  ["XDP_TX_RING", abi.xdpTxRing],
  ["XDP_UMEM_REG", abi.xdpUmemReg],
  ["XDP_UMEM_FILL_RING", abi.xdpUmemFillRing],
  ["XDP_UMEM_COMPLETION_RING", abi.xdpUmemCompletionRing],
  ["XDP_COPY", abi.xdpCopy],
  ["XDP_PGOFF_TX_RING", abi.xdpPgoffTxRing],
  ["XDP_UMEM_PGOFF_COMPLETION_RING", abi.xdpUmemPgoffCompletionRing],
  ["PROT_READ", abi.protRead],
  ["PROT_WRITE", abi.protWrite],
  ["MAP_SHARED", abi.mapShared],
  ["MAP_FIXED", abi.mapFixed],
  ["MAP_POPULATE", abi.mapPopulate],
  ["MSG_DONTWAIT", abi.msgDontwait],
  ["sizeof(struct sockaddr_xdp)", abi.sockaddrXdp.bytes],
  ["offsetof(struct sockaddr_xdp, sxdp_ifindex)", abi.sockaddrXdp.ifindex],
  ["offsetof(struct sockaddr_xdp, sxdp_queue_id)", abi.sockaddrXdp.queue],
  ["sizeof(struct xdp_umem_reg)", abi.xdpUmem.bytes],
  ["offsetof(struct xdp_umem_reg, addr)", abi.xdpUmem.address],
  ["offsetof(struct xdp_umem_reg, len)", abi.xdpUmem.length],
  ["offsetof(struct xdp_umem_reg, chunk_size)", abi.xdpUmem.chunkBytes],
  ["sizeof(struct xdp_mmap_offsets)", abi.xdpOffsets.bytes],
  ["offsetof(struct xdp_mmap_offsets, tx)", abi.xdpOffsets.tx],
  ["offsetof(struct xdp_mmap_offsets, cr)", abi.xdpOffsets.completion],
  ["offsetof(struct xdp_ring_offset, producer)", abi.xdpRingOffset.producer],
  ["offsetof(struct xdp_ring_offset, consumer)", abi.xdpRingOffset.consumer],
  ["offsetof(struct xdp_ring_offset, desc)", abi.xdpRingOffset.descriptors],
  ["sizeof(struct xdp_desc)", abi.xdpDescriptor.bytes],
  ["offsetof(struct xdp_desc, addr)", abi.xdpDescriptor.address],
  ["offsetof(struct xdp_desc, len)", abi.xdpDescriptor.length],
  ["CLOCK_REALTIME", abi.clockRealtime],
  ["CLOCK_MONOTONIC", abi.clockMonotonic],
  ["POLLIN", abi.pollin],
  ["TUNSETIFF", abi.tunsetiff],
  ["IFF_TUN", abi.iffTun],
  ["IFF_NO_PI", abi.iffNoPi],
  ["sizeof(struct sockaddr_ll)", abi.sockaddrLl.bytes],
  ["offsetof(struct sockaddr_ll, sll_protocol)", abi.sockaddrLl.protocol],
  ["offsetof(struct sockaddr_ll, sll_ifindex)", abi.sockaddrLl.ifindex],
  ["sizeof(struct sockaddr_in)", abi.sockaddrIn.bytes],
  ["offsetof(struct sockaddr_in, sin_port)", abi.sockaddrIn.port],
  ["offsetof(struct sockaddr_in, sin_addr)", abi.sockaddrIn.address],
  ["sizeof(struct sockaddr_in6)", abi.sockaddrIn6.bytes],
  ["offsetof(struct sockaddr_in6, sin6_port)", abi.sockaddrIn6.port],
  ["offsetof(struct sockaddr_in6, sin6_addr)", abi.sockaddrIn6.address],
  ["offsetof(struct sockaddr_in6, sin6_scope_id)", abi.sockaddrIn6.scope],
  ["sizeof(struct mmsghdr)", abi.mmsghdr.bytes],
  ["sizeof(struct mmsghdr)", messageBytes],
  ["offsetof(struct mmsghdr, msg_hdr.msg_iov)", abi.mmsghdr.iov],
  ["offsetof(struct mmsghdr, msg_hdr.msg_iovlen)", abi.mmsghdr.iovlen],
  ["sizeof(struct iovec)", abi.iovec.bytes],
  ["offsetof(struct iovec, iov_base)", abi.iovec.base],
  ["offsetof(struct iovec, iov_len)", abi.iovec.length],
  ["sizeof(struct ifreq)", abi.ifreq.bytes],
  ["offsetof(struct ifreq, ifr_flags)", abi.ifreq.flags],
  ["NETLINK_ROUTE", netlink.netlinkRoute],
  ["NLMSG_ERROR", netlink.messageType.error],
  ["NLMSG_DONE", netlink.messageType.done],
  ["RTM_GETLINK", netlink.messageType.getLink],
  ["RTM_NEWROUTE", netlink.messageType.newRoute],
  ["RTM_GETROUTE", netlink.messageType.getRoute],
  ["RTM_NEWNEIGH", netlink.messageType.newNeighbour],
  ["RTM_GETNEIGH", netlink.messageType.getNeighbour],
  ["NLM_F_REQUEST", netlink.messageFlag.request],
  ["NLM_F_ACK", netlink.messageFlag.acknowledge],
  ["NLM_F_DUMP", netlink.messageFlag.dump],
  ["NLM_F_CREATE", netlink.messageFlag.create],
  ["NLM_F_REPLACE", netlink.messageFlag.replace],
  ["IFLA_ADDRESS", netlink.linkAttribute.address],
  ["IFLA_IFNAME", netlink.linkAttribute.name],
  ["IFLA_MTU", netlink.linkAttribute.mtu],
  ["RTA_DST", netlink.routeAttribute.destination],
  ["RTA_SRC", netlink.routeAttribute.source],
  ["RTA_OIF", netlink.routeAttribute.outputInterface],
  ["RTA_GATEWAY", netlink.routeAttribute.gateway],
  ["RTA_PRIORITY", netlink.routeAttribute.priority],
  ["RTA_PREFSRC", netlink.routeAttribute.preferredSource],
  ["RTA_MULTIPATH", netlink.routeAttribute.multipath],
  ["RTA_TABLE", netlink.routeAttribute.table],
  ["RTA_VIA", netlink.routeAttribute.via],
  ["RTN_UNICAST", netlink.routeKind.unicast],
  ["RTN_LOCAL", netlink.routeKind.local],
  ["RTN_BLACKHOLE", netlink.routeKind.blackhole],
  ["RTN_UNREACHABLE", netlink.routeKind.unreachable],
  ["RTN_PROHIBIT", netlink.routeKind.prohibit],
  ["RT_TABLE_MAIN", netlink.mainTable],
  ["NDA_DST", netlink.neighbourAttribute.destination],
  ["NDA_LLADDR", netlink.neighbourAttribute.linkAddress],
  ["NUD_REACHABLE", netlink.neighbourState.reachable],
  ["NUD_STALE", netlink.neighbourState.stale],
  ["NUD_DELAY", netlink.neighbourState.delay],
  ["NUD_PROBE", netlink.neighbourState.probe],
  ["NUD_FAILED", netlink.neighbourState.failed],
  ["NUD_NOARP", netlink.neighbourState.noArp],
  ["NUD_PERMANENT", netlink.neighbourState.permanent],
  ["NTF_USE", netlink.neighbourFlagUse],
  ["ARPHRD_ETHER", netlink.hardwareType.ethernet],
  ["ARPHRD_LOOPBACK", netlink.hardwareType.loopback],
  ["IFF_UP", netlink.linkFlagUp],
];

const includes = [
  "stdio.h",
  "stddef.h",
  "poll.h",
  "sys/eventfd.h",
  "time.h",
  "sys/ioctl.h",
  "sys/mman.h",
  "sys/socket.h",
  "sys/uio.h",
  "arpa/inet.h",
  "net/if.h",
  "net/if_arp.h",
  "linux/if_ether.h",
  "linux/if_packet.h",
  "linux/if_tun.h",
  "linux/if_xdp.h",
  "linux/netlink.h",
  "linux/rtnetlink.h",
  "linux/neighbour.h",
];

test("every number is the one of the C headers", () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-abi-"));
  try {
    const lines = expectations.map(([expression]) => `printf("%lu\\n", (unsigned long)(${expression}));`);
    const source = [
      "#define _GNU_SOURCE",
      ...includes.map((name) => `#include <${name}>`),
      `int main(void) { ${lines.join("\n")} return 0; }`,
    ].join("\n");
    writeFileSync(join(folder, "abi.c"), source);
    const compiler = Bun.spawnSync(["gcc", "-o", join(folder, "abi"), join(folder, "abi.c")]);
    expect(compiler.stderr.toString()).toBe("");
    const output = Bun.spawnSync([join(folder, "abi")])
      .stdout.toString()
      .trim()
      .split("\n")
      .map(Number);
    const found = expectations.map(([expression], i) => `${expression} ${output[i]}`);
    expect(found).toEqual(expectations.map(([expression, number]) => `${expression} ${number}`));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
