/**
 * libchdb's symbols: ClickHouse as a library, loaded on first use. Signatures as in its chdb.h; tried: 26.7.
 *
 * The library is half a gigabyte, so it is not in the executable: it is searched for in `CHDB_LIBCHDB_PATH`, beside the
 * executable, and in the npm package, upwards from the program's folder. The working directory does not matter.
 */
import { dlopen, FFIType } from "bun:ffi";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export const libraryName = "libchdb.so";

function load(path: string) {
  return dlopen(path, {
    chdb_close_conn: { args: ["ptr"], returns: "void" },
    chdb_connect: { args: ["i32", "ptr"], returns: "ptr" },
    chdb_destroy_insert_stream: { args: ["ptr"], returns: "void" },
    chdb_destroy_query_result: { args: ["ptr"], returns: "void" },
    chdb_query_with_params_n: {
      args: ["ptr", "ptr", "usize", "ptr", "usize", "ptr", "ptr", "ptr", "ptr", "usize"],
      returns: "ptr",
    },
    chdb_result_buffer: { args: ["ptr"], returns: "ptr" },
    chdb_result_error: { args: ["ptr"], returns: "ptr" },
    chdb_result_length: { args: ["ptr"], returns: FFIType.i64_fast },
    chdb_result_rows_read: { args: ["ptr"], returns: FFIType.i64_fast },
    chdb_result_rows_written: { args: ["ptr"], returns: FFIType.i64_fast },
    chdb_set_signal_handlers_enabled: { args: ["i32"], returns: "void" },
    chdb_stream_append: { args: ["ptr", "ptr", "usize"], returns: "i32" },
    chdb_stream_cancel_query: { args: ["ptr", "ptr"], returns: "void" },
    chdb_stream_done: { args: ["ptr"], returns: "ptr" },
    chdb_stream_fetch_result: { args: ["ptr", "ptr"], returns: "ptr" },
    chdb_stream_insert_error: { args: ["ptr"], returns: "ptr" },
    chdb_stream_insert_n: { args: ["ptr", "ptr", "usize", "ptr", "usize"], returns: "ptr" },
    chdb_stream_query_with_params_n: {
      args: ["ptr", "ptr", "usize", "ptr", "usize", "ptr", "ptr", "ptr", "ptr", "usize"],
      returns: "ptr",
    },
  }).symbols;
}

let loaded: ReturnType<typeof load> | null = null;

/**
 * Throws an Error with the paths that were searched. ClickHouse installs no signal handlers: the process keeps its own.
 */
export function libchdb(): ReturnType<typeof load> {
  if (loaded === null) {
    loaded = load(libchdbPath());
    loaded.chdb_set_signal_handlers_enabled(0);
  }
  return loaded;
}

/** The path of the library; throws an Error when it is not found. */
export function libchdbPath(): string {
  const named = process.env.CHDB_LIBCHDB_PATH;
  const beside = join(dirname(process.execPath), libraryName);
  const places = named === undefined ? [beside, fromPackage() ?? `the npm package ${packageName}`] : [named];
  const found = places.find((path) => existsSync(path));
  if (found === undefined) {
    throw new Error(
      `Cannot find ${libraryName} in ${places.join(" or ")}: put it beside the executable, or set CHDB_LIBCHDB_PATH`,
    );
  }
  return found;
}

/** URL prefix of compiled files: inside the executable, where no packages can be found. */
const compiledPlace = "file:///$bunfs/";

const packageName = `@chdb/lib-linux-${process.arch}-gnu`;

/** The path of the library in the npm package; null when the package is not installed. */
export function fromPackage(): string | null {
  const program = import.meta.url.startsWith(compiledPlace) ? process.execPath : import.meta.url;
  try {
    return join(dirname(createRequire(program).resolve(`${packageName}/package.json`)), libraryName);
  } catch {
    return null;
  }
}
