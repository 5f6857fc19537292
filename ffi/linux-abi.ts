/**
 * Numbers of the Linux ABI for system calls, named as in the C headers except for their case.
 *
 * The same on x86-64 and arm64; `linux-abi.test.ts` checks them, and those of netlink/constants.ts, against
 * the compiler's headers.
 */

export const afInet = 2;
export const afInet6 = 10;
export const afNetlink = 16;
export const afPacket = 17;
export const afXdp = 44;

export const sockDgram = 2;
export const sockRaw = 3;
export const sockNonblock = 0o4000;
export const sockCloexec = 0o2000000;

export const ipprotoRaw = 255;

export const solSocket = 1;
export const soSndbuf = 7;
export const soRcvbuf = 8;
export const soRcvtimeo = 20;
export const soRcvbufforce = 33;

export const solPacket = 263;
export const packetQdiscBypass = 20;
export const packetIgnoreOutgoing = 23;
/** ETH_P_ALL in network order, as socket(2) and bind(2) expect it. */
export const ethPAllNetworkOrder = 0x0300;

export const solXdp = 283;
export const xdpMmapOffsets = 1;
export const xdpTxRing = 3;
export const xdpUmemReg = 4;
export const xdpUmemFillRing = 5;
export const xdpUmemCompletionRing = 6;
/** Since Linux 6.17, so not in every header: packets that one sendto(2) takes off the ring, by default 32. */
export const xdpMaxTxSkbBudget = 9;
export const xdpCopy = 2;
export const xdpPgoffTxRing = 0x80000000;
export const xdpUmemPgoffCompletionRing = 0x180000000;

export const protRead = 1;
export const protWrite = 2;
export const mapShared = 1;
export const mapFixed = 0x10;
export const mapPopulate = 0x8000;
export const msgDontwait = 0x40;

export const clockRealtime = 0;
export const clockMonotonic = 1;
export const pollin = 1;
export const efdNonblock = 0o4000;
export const efdCloexec = 0o2000000;

export const tunsetiff = 0x400454ca;
export const iffTun = 0x0001;
export const iffNoPi = 0x1000;

/** Sizes and offsets of structs, in bytes. */
export const sockaddrLl = { bytes: 20, protocol: 2, ifindex: 4 } as const;
export const sockaddrIn = { bytes: 16, port: 2, address: 4 } as const;
export const sockaddrIn6 = { bytes: 28, port: 2, address: 8, scope: 24 } as const;
export const mmsghdr = { bytes: 64, iov: 16, iovlen: 24 } as const;
export const iovec = { bytes: 16, base: 0, length: 8 } as const;
export const ifreq = { bytes: 40, flags: 16 } as const;
export const sockaddrXdp = { bytes: 16, ifindex: 4, queue: 8 } as const;
export const xdpUmem = { bytes: 32, address: 0, length: 8, chunkBytes: 16 } as const;
/** Layout of `struct xdp_mmap_offsets`: where the offsets of a ring are, and within them. */
export const xdpOffsets = { bytes: 128, tx: 32, completion: 96 } as const;
export const xdpRingOffset = { producer: 0, consumer: 8, descriptors: 16 } as const;
export const xdpDescriptor = { bytes: 16, address: 0, length: 8 } as const;
