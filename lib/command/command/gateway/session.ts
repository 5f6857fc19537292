/** Resources of one command run: the gateway with the user's token, the screen, the output format. */
import packageJson from "../../../../package.json" with { type: "json" };
import { type Palette, paletteFor } from "../../../base/terminal/colour.ts";
import { visible } from "../../../base/terminal/foreign-text.ts";
import { printErrorLine } from "../../../base/terminal/output.ts";
import { printRecord } from "../../../base/terminal/record-output.ts";
import { type Column, type Format, RowsOutput } from "../../../base/terminal/rows-output.ts";
import { Screen } from "../../../base/terminal/screen.ts";
import { type ChosenGateway, chooseGateway } from "../../../engines/gateway-client/choose-gateway.ts";
import { Gateway } from "../../../engines/gateway-client/gateway.ts";
import { tokenBytesMax } from "../../../engines/gateway-client/limits.ts";
import { Profiles, settingsFolder } from "../../../engines/gateway-client/profiles.ts";
import { StoredToken } from "../../../engines/gateway-client/stored-token.ts";
import { fixedToken, type TokenSource } from "../../../engines/gateway-client/token-source.ts";
import { wrongUsage } from "../command-error.ts";
import { complain } from "../complain.ts";
import type { CommonOptions } from "./common-options.ts";

/** The origin of this run's token, for messages. */
type TokenOrigin = "stdin" | "environment" | "profile";

export const userAgent = `vantage/${packageJson.version}`;

export class GatewaySession {
  readonly name: string;
  readonly common: CommonOptions;
  readonly profiles = new Profiles(settingsFolder(process.env));
  /** Set by the first Ctrl-C. */
  readonly signal: AbortSignal;
  /** Standard output: results; on a terminal with a live part below. */
  readonly screen: Screen;
  /** Standard error: progress, on a terminal only. */
  readonly progress = new Screen(process.stderr.isTTY === true, process.stderr);
  readonly palette: Palette;
  readonly isTerminal = process.stdout.isTTY === true;

  constructor(name: string, common: CommonOptions, signal: AbortSignal) {
    this.name = name;
    this.common = common;
    this.signal = signal;
    this.screen = new Screen(this.isTerminal);
    this.palette = paletteFor(this.isTerminal, process.env.NO_COLOR);
  }

  /** The command, for the origin of what it submits. */
  get #userAgent(): string {
    return `${userAgent} (${this.name})`;
  }

  get format(): Format {
    return this.common.format;
  }

  get tokenOrigin(): TokenOrigin {
    if (this.common.tokenStdin) {
      return "stdin";
    }
    return (process.env.VANTAGE_TOKEN ?? "") === "" ? "profile" : "environment";
  }

  /** Throws GatewayError `unknownGateway`. */
  chosen(): ChosenGateway {
    const { service, address, profile } = this.common;
    const variable = service === "probing" ? "VANTAGE_GATEWAY" : "VANTAGE_PEERING_GATEWAY";
    return chooseGateway(
      {
        service,
        address: address ?? filled(process.env[variable]),
        profile: profile ?? filled(process.env.VANTAGE_PROFILE),
      },
      this.profiles,
    );
  }

  /** The gateway, with a token if there is one. Throws GatewayError, CommandError. */
  async open(): Promise<Gateway> {
    const { address, profile } = this.chosen();
    this.#tellOther(profile);
    return new Gateway({ address, tokens: await this.#tokens(profile), userAgent: this.#userAgent });
  }

  /** An address alone selects its login; a remark reports it when it is not the current one. */
  #tellOther(profile: string | null): void {
    const isNamed = this.common.profile !== null || filled(process.env.VANTAGE_PROFILE) !== null;
    const current = this.tokenOrigin === "profile" && !isNamed ? this.profiles.current() : null;
    if (profile !== null && current !== null && profile !== current) {
      this.note(`with the login of profile "${profile}", not "${current}", for this gateway`);
    }
  }

  /** Destination of results. */
  get show() {
    return {
      print: (text: string) => this.screen.print(text),
      write: (bytes: Uint8Array) => this.screen.write(bytes),
    };
  }

  output<Row>(columns: readonly Column<Row>[]): RowsOutput<Row> {
    const print = (text: string) => this.screen.print(text);
    return new RowsOutput({ columns, format: this.format, print, dim: this.palette.dim });
  }

  /** `ifNone` is the remark for an empty result, because a table without rows shows nothing. */
  printRows<Row>(columns: readonly Column<Row>[], rows: Iterable<Row>, ifNone?: string): void {
    const output = this.output(columns);
    for (const row of rows) {
      output.add(row);
    }
    output.finish();
    if (output.rows === 0 && ifNone !== undefined && this.format === "table") {
      this.note(ifNone);
    }
  }

  printRecord<Row>(columns: readonly Column<Row>[], row: Row): void {
    const print = (text: string) => this.screen.print(text);
    printRecord(row, { columns, format: this.format, print, dim: this.palette.dim });
  }

  /** A remark, on standard error, in one line. */
  note(message: string): void {
    this.progress.clear();
    complain(this.name, message);
  }

  /** Further lines of a remark. */
  noteMore(lines: readonly string[]): void {
    for (const line of lines) {
      printErrorLine(visible(line));
    }
  }

  async #tokens(profile: string | null): Promise<TokenSource | null> {
    switch (this.tokenOrigin) {
      case "stdin":
        return fixedToken(await tokenFromStdin());
      case "environment":
        return fixedToken((process.env.VANTAGE_TOKEN ?? "").trim());
      case "profile":
        return profile === null ? null : new StoredToken(this.profiles, profile);
    }
  }
}

function filled(text: string | undefined): string | null {
  return text === undefined || text === "" ? null : text;
}

let tokenGiven: Promise<string> | null = null;

/** A command that uses two gateways reads it once. */
function tokenFromStdin(): Promise<string> {
  tokenGiven ??= readToken();
  return tokenGiven;
}

async function readToken(): Promise<string> {
  const text = await new Response(Bun.stdin.stream()).text();
  const token = text.trim();
  if (token === "" || token.length > tokenBytesMax || !/^[\x21-\x7e]+$/.test(token)) {
    throw wrongUsage("--token-stdin: standard input must hold one token, in one line");
  }
  return token;
}
