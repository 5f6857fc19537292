/**
 * The log of a service: one JSON object a line, on standard error, for machines first.
 *
 * `{"at":"2026-01-02T03:04:05.678Z","level":"error","component":"probing-gateway","message":"…","request_id":"…"}`
 *
 * A line is safe to print on a terminal, whatever names requests and agents use: foreign-text.ts.
 */
import { isSystemError } from "../../base/failure/system-reason.ts";
import { visibleJson } from "../../base/terminal/foreign-text.ts";

type LogLevel = "info" | "warn" | "error";
/** Names in snake_case. An Error is written with its name, message, code, stack and causes. */
export type LogFields = Readonly<Record<string, unknown>>;

export interface Logger {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A logger that adds these to each line: `request_id`, `measurement_id`. */
  with(fields: LogFields): Logger;
}

/** A line longer than this is cut, so that a hostile request cannot fill the disk many times over. */
const lineCharsMax = 16_384;
/** Depth of a chain of causes: more than any code chains. */
const causesMax = 4;

/** `write` gets whole lines, newlines included. */
export function jsonLog(component: string, write: (line: string) => void = toStandardError): Logger {
  return logger({ component }, write);
}

function logger(common: LogFields, write: (line: string) => void): Logger {
  const log = (level: LogLevel) => (message: string, fields?: LogFields) =>
    write(logLine({ at: new Date().toISOString(), level, ...common, message, ...fields }));
  return {
    info: log("info"),
    warn: log("warn"),
    error: log("error"),
    with: (fields) => logger({ ...common, ...fields }, write),
  };
}

function toStandardError(line: string): void {
  process.stderr.write(line);
}

function logLine(entry: LogFields): string {
  const text = visibleJson(JSON.stringify(entry, plain));
  const line = text.length <= lineCharsMax ? text : JSON.stringify({ cut: text.slice(0, lineCharsMax) });
  return `${line}\n`;
}

/** Words in a field's name that mark it as secret. */
const secretName = /(^|_)(authorization|token|secret|password|key|cookie)$/i;

function plain(name: string, value: unknown): unknown {
  if (secretName.test(name)) {
    return "[hidden]";
  }
  if (typeof value === "bigint") {
    return value.toString();
  }
  return value instanceof Error ? plainError(value, causesMax) : value;
}

function plainError(error: Error, causesLeft: number): LogFields {
  const { name, message, cause } = error;
  const code = "code" in error ? { code: error.code } : {};
  // A full disk, or a closed pipe: where in the program that was noticed does not help.
  const stack = isOfSystem(error, causesLeft) ? {} : { stack: error.stack };
  const inner = cause instanceof Error && causesLeft > 0 ? { cause: plainError(cause, causesLeft - 1) } : {};
  return { name, message, ...code, ...stack, ...inner };
}

/** Whether the system, not this program, is the cause. */
function isOfSystem(error: Error, causesLeft: number): boolean {
  const { cause } = error;
  return (
    isSystemError(error) || (cause instanceof Error && causesLeft > 0 && isOfSystem(cause, causesLeft - 1))
  );
}
