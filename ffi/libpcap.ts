/** libpcap's symbols, loaded on first use: programs that neither send nor capture do not need it. Tried: 1.10.3. */
import { dlopen, FFIType } from "bun:ffi";
import { cString, type Handle, libc } from "./libc.ts";

const libraryName = "libpcap.so.0.8";
const resolveLazily = 1;

function load() {
  return dlopen(libraryName, {
    pcap_activate: { args: ["ptr"], returns: "i32" },
    pcap_close: { args: ["ptr"], returns: "void" },
    pcap_compile: { args: ["ptr", "ptr", "ptr", "i32", "u32"], returns: "i32" },
    pcap_create: { args: ["ptr", "ptr"], returns: "ptr" },
    pcap_datalink: { args: ["ptr"], returns: "i32" },
    pcap_dispatch: { args: ["ptr", "i32", "ptr", "ptr"], returns: "i32" },
    pcap_dump_close: { args: ["ptr"], returns: "void" },
    pcap_dump_flush: { args: ["ptr"], returns: "i32" },
    pcap_dump_fopen: { args: ["ptr", "ptr"], returns: "ptr" },
    pcap_dump_ftell: { args: ["ptr"], returns: FFIType.i64_fast },
    pcap_freecode: { args: ["ptr"], returns: "void" },
    pcap_geterr: { args: ["ptr"], returns: "cstring" },
    pcap_get_selectable_fd: { args: ["ptr"], returns: "i32" },
    pcap_set_buffer_size: { args: ["ptr", "i32"], returns: "i32" },
    pcap_set_promisc: { args: ["ptr", "i32"], returns: "i32" },
    pcap_set_snaplen: { args: ["ptr", "i32"], returns: "i32" },
    pcap_set_timeout: { args: ["ptr", "i32"], returns: "i32" },
    pcap_set_tstamp_precision: { args: ["ptr", "i32"], returns: "i32" },
    pcap_setdirection: { args: ["ptr", "i32"], returns: "i32" },
    pcap_setfilter: { args: ["ptr", "ptr"], returns: "i32" },
    pcap_setnonblock: { args: ["ptr", "i32", "ptr"], returns: "i32" },
    pcap_stats: { args: ["ptr", "ptr"], returns: "i32" },
    pcap_statustostr: { args: ["i32"], returns: "cstring" },
  }).symbols;
}

let loaded: ReturnType<typeof load> | null = null;

/** Throws an Error that names the Debian package when the library is missing. */
export function libpcap(): ReturnType<typeof load> {
  try {
    loaded ??= load();
  } catch (cause) {
    throw missing(cause);
  }
  return loaded;
}

function missing(cause?: unknown): Error {
  return new Error(`Cannot load ${libraryName}: install the package libpcap0.8`, { cause });
}

/**
 * The address of `pcap_dump`, to pass to `pcap_dispatch` as its callback, so that native code calls native
 * code.
 */
export function pcapDumpAddress(): Handle {
  const library = libc().dlopen(cString(libraryName), resolveLazily);
  if (library === null) {
    throw missing();
  }
  const symbol = libc().dlsym(library, cString("pcap_dump"));
  if (symbol === null) {
    throw new Error(`Cannot find pcap_dump in ${libraryName}`);
  }
  return symbol;
}
