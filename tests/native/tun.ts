/**
 * A TUN device: a network interface whose far end is this process, one IP packet for each read and write.
 *
 * The device is `/dev/net/tun` tied to a name by TUNSETIFF with `struct ifreq` (name, then flags u16 in host
 * order). IFF_NO_PI leaves out the four bytes that would come before each packet. Linux
 * Documentation/networking/tuntap.rst.
 */
import { constants } from "node:fs";
import { check, cString, errno, errnoNumbers, libc, SystemError } from "../../ffi/libc.ts";
import { iffNoPi, iffTun, ifreq, pollin, tunsetiff } from "../../ffi/linux-abi.ts";

const devicePath = "/dev/net/tun";
const interfaceNameBytesMax = 15;

export class Tun implements Disposable {
  readonly #fd: number;
  /** `struct pollfd`: fd, then events and revents in one word. */
  readonly #pollEntry: Int32Array;

  private constructor(fd: number) {
    this.#fd = fd;
    this.#pollEntry = Int32Array.of(fd, pollin);
  }

  /**
   * Attaches to the TUN interface `name` of this network namespace, and creates it when it is not there.
   *
   * Throws SystemError: EACCES or ENOENT without the device file, EPERM without CAP_NET_ADMIN, EBUSY when
   * another process is attached.
   */
  static open(name: string): Tun {
    if (name.length > interfaceNameBytesMax) {
      throw new RangeError(
        `Cannot use "${name}" as an interface name: it has over ${interfaceNameBytesMax} bytes`,
      );
    }
    const fd = openDevice();
    const request = new Uint8Array(ifreq.bytes);
    request.set(cString(name));
    new DataView(request.buffer).setUint16(ifreq.flags, iffTun | iffNoPi, true);
    try {
      check(libc().ioctl(fd, tunsetiff, request), `attach to TUN interface "${name}"`);
    } catch (error) {
      libc().close(fd);
      throw error;
    }
    return new Tun(fd);
  }

  /** Whether this process may open the device at all; an unprivileged one usually may not. */
  static available(): boolean {
    try {
      libc().close(openDevice());
      return true;
    } catch {
      return false;
    }
  }

  /** Copies the next packet into `packet`, which must be as large as the MTU; returns its bytes, 0 = none waiting. */
  read(packet: Uint8Array): number {
    const bytes = Number(libc().read(this.#fd, packet, packet.length));
    if (bytes >= 0) {
      return bytes;
    }
    const reason = errno();
    if (reason === errnoNumbers.EAGAIN || reason === errnoNumbers.EINTR) {
      return 0;
    }
    throw new SystemError("read from a TUN interface", reason);
  }

  /** Sends one IP packet into the namespace; false when the interface is down or refuses it. */
  write(packet: Uint8Array): boolean {
    return Number(libc().write(this.#fd, packet, packet.length)) === packet.length;
  }

  /** Blocks until a packet waits or `timeoutMs` passed; true = a packet waits. */
  wait(timeoutMs: number): boolean {
    this.#pollEntry[1] = pollin;
    return libc().poll(this.#pollEntry, 1, timeoutMs) > 0;
  }

  [Symbol.dispose](): void {
    libc().close(this.#fd);
  }
}

function openDevice(): number {
  const flags = constants.O_RDWR | constants.O_NONBLOCK;
  return check(libc().open(cString(devicePath), flags, 0), `open ${devicePath}`);
}
