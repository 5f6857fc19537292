/**
 * Numbers of the Linux ABI that system calls take, named as in the C headers but for their case.
 *
 * The same on x86-64 and arm64; `linux-abi.test.ts` holds them, and those of netlink/constants.ts, against the
 * compiler's headers.
 */

export const afInet = 2;
export const afInet6 = 10;
export const afNetlink = 16;
export const afPacket = 17;

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
/** ETH_P_ALL in network order, as socket(2) and bind(2) want it. */
export const ethPAllNetworkOrder = 0x0300;

export const clockRealtime = 0;
export const clockMonotonic = 1;
export const pollin = 1;

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
