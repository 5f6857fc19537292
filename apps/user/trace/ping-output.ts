/** Prints a ping: a line for each probe and a summary for people; rows of either kind for programs. */
import {
  type AddressContext,
  type AddressNotes,
  dayOf,
} from "../../../lib/answers/enrich/address-context.ts";
import { RowsOutput } from "../../../lib/base/terminal/rows-output.ts";
import type { Screen } from "../../../lib/base/terminal/screen.ts";
import { type ProgramWriters, pingWriters, type TraceForm } from "../../../lib/measuring/formats/forms.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import type { Options } from "./options.ts";
import { pingColumns, pingSummaryColumns } from "./ping-columns.ts";
import type { PingEnding, Pinged } from "./ping-figures.ts";
import { pingRow } from "./program-rows.ts";
import { pingLine, pingSummary } from "./render-ping.ts";

interface Printing {
  readonly ended: (ending: PingEnding) => void;
  readonly finish: (all: readonly Pinged[]) => void;
}

type PrintOptions = Pick<
  Options,
  "output" | "program" | "summary" | "protocol" | "srcPort" | "dstPort" | "firstTtl"
> &
  Partial<Pick<Options, "from">>;

export class PingOutput {
  readonly #addressContext: AddressContext;
  readonly #printing: Printing;
  /** What waits for names, in order. */
  #printed: Promise<void> = Promise.resolve();

  constructor(
    options: PrintOptions,
    addressContext: AddressContext,
    measurement: string,
    screen: Pick<Screen, "print" | "write">,
  ) {
    this.#addressContext = addressContext;
    this.#printing =
      options.program === null
        ? printingOf(options, addressContext.on(dayOf(Date.now())), {
            measurementId: (options.from ?? null) === null ? null : measurement,
            print: (text) => screen.print(text),
          })
        : programPrinting(options, options.program, measurement, screen);
  }

  ended(ending: PingEnding): void {
    const { outcome } = ending;
    const from = typeof outcome === "string" ? ending.pinged.target.address : outcome.from;
    this.#named([formatAddress(from)], () => this.#printing.ended(ending));
  }

  /** Call it once, with all targets, at the end. */
  async finish(all: readonly Pinged[]): Promise<void> {
    this.#named(
      all.map(({ target }) => formatAddress(target.address)),
      () => this.#printing.finish(all),
    );
    await this.#printed;
  }

  #named(addresses: readonly string[], print: () => void): void {
    const { names } = this.#addressContext;
    if (names === null) {
      print();
    } else {
      this.#printed = this.#printed.then(() => names.find(addresses)).then(print);
    }
  }
}

/** All at the end: a ping is one object there. */
function programPrinting(
  options: PrintOptions,
  form: TraceForm,
  measurement: string,
  screen: Pick<Screen, "write">,
): Printing {
  const writers: ProgramWriters = pingWriters;
  const writer = writers[form]?.();
  return {
    ended: () => {},
    finish: (all) => {
      for (const pinged of all) {
        screen.write(writer?.row(pingRow(measurement, pinged, options)) ?? new Uint8Array());
      }
      screen.write(writer?.end() ?? new Uint8Array());
    },
  };
}

interface Place {
  /** Null = this machine pings. */
  readonly measurementId: string | null;
  readonly print: (text: string) => void;
}

function printingOf(
  { output: format, summary }: PrintOptions,
  notes: AddressNotes,
  { measurementId, print }: Place,
): Printing {
  const shared = { format, print, dim: (text: string) => text };
  if (format === "table") {
    return {
      ended: summary ? () => {} : (ending) => print(pingLine(ending, notes)),
      finish: (all) => all.map((one) => print(pingSummary(one, notes))),
    };
  }
  if (summary) {
    const rows = new RowsOutput({ ...shared, columns: pingSummaryColumns(notes, format, measurementId) });
    const finish = (all: readonly Pinged[]) => {
      all.map((one) => rows.add(one));
      rows.finish();
    };
    return { ended: () => {}, finish };
  }
  const rows = new RowsOutput({ ...shared, columns: pingColumns(notes, format, measurementId) });
  return { ended: (ending) => rows.add(ending), finish: () => rows.finish() };
}
