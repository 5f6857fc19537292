/** What every part of the lab stands on: namespaces, a folder, a certificate, programs, the transcript, daemons. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Daemon } from "../../exchange/daemon.ts";
import { run } from "../namespaces.ts";
import { type Binaries, binaries } from "./binaries.ts";
import { type Node, underlay } from "./plan.ts";
import { Transcript } from "./transcript.ts";
import { VpnNet } from "./vpn-net.ts";

const vantageScript = join(import.meta.dirname, "../../../apps/vantage.ts");
/** `vantage`, from its sources. */
export const vantage: readonly string[] = [process.execPath, vantageScript];
const deployFolder = join(import.meta.dirname, "../../../deploy");

export class VpnLab implements AsyncDisposable {
  readonly folder: string;
  readonly net: VpnNet;
  readonly binaries: Binaries;
  readonly transcript: Transcript;
  readonly #stack: AsyncDisposableStack;

  private constructor(parts: {
    folder: string;
    net: VpnNet;
    binaries: Binaries;
    print: (line: string) => void;
    stack: AsyncDisposableStack;
  }) {
    this.folder = parts.folder;
    this.net = parts.net;
    this.binaries = parts.binaries;
    this.#stack = parts.stack;
    this.transcript = new Transcript(parts.net, { print: parts.print, shown: shownInstead(parts) });
  }

  static async make(print: (line: string) => void): Promise<VpnLab> {
    await using stack = new AsyncDisposableStack();
    const built = await binaries(print);
    const folder = mkdtempSync(join(tmpdir(), "vantage-vpn-"));
    stack.defer(() => rmSync(folder, { recursive: true }));
    const net = stack.use(await VpnNet.start());
    const place = new VpnLab({ folder, net, binaries: built, print, stack: stack.move() });
    await place.#certify();
    return place;
  }

  /** Certificate of the coordination server, self-signed: every machine of the lab trusts it. */
  get certificate(): string {
    return join(this.folder, "core.pem");
  }

  get certificateKey(): string {
    return join(this.folder, "core.key");
  }

  /** Ends with the lab. */
  daemon(
    name: string,
    node: Node,
    command: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Daemon {
    const variables = Object.entries(environment).map(([key, value]) => `${key}=${value}`);
    return this.#stack.use(
      new Daemon(name, this.folder, this.net.at(node, ["env", ...variables, ...command])),
    );
  }

  /** A thing that is to end before what it stands on. */
  use<Thing extends AsyncDisposable | Disposable>(thing: Thing): Thing {
    return this.#stack.use(thing);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  async #certify(): Promise<void> {
    const name = `subjectAltName=IP:${underlay.core}`;
    await run([
      ...["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
      ...["-subj", "/CN=core", "-addext", name, "-days", "2"],
      ...["-keyout", this.certificateKey, "-out", this.certificate],
    ]);
  }
}

function shownInstead({ folder, binaries: built }: { folder: string; binaries: Binaries }) {
  return [
    [vantage.join(" "), "vantage"],
    ...Object.entries(built).map(([name, path]) => [path, name] as const),
    [folder, "/lab"],
    [deployFolder, "deploy"],
  ] as const;
}
