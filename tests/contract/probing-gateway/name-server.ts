/** A name server of a test: one address for each name, all else is no such name (RFC 1035, section 4; RFC 3596). */
import { parseAddress } from "../../../lib/net/ip/address.ts";

const types = { 4: 1, 6: 28 } as const;

interface Answerer {
  readonly port: number;
  close(): void;
}

export class NameServer implements Disposable {
  /** Names, as they were asked for. */
  readonly asked: string[] = [];
  readonly #addresses: Readonly<Record<string, string>>;
  #socket: Answerer | null = null;

  private constructor(addresses: Readonly<Record<string, string>>) {
    this.#addresses = addresses;
  }

  static async start(addresses: Readonly<Record<string, string>>): Promise<NameServer> {
    const server = new NameServer(addresses);
    server.#socket = await Bun.udpSocket({
      hostname: "127.0.0.1",
      socket: {
        data: (socket, query, port, address) => {
          socket.send(server.#answerTo(query), port, address);
        },
      },
    });
    return server;
  }

  get port(): number {
    return this.#socket?.port ?? 0;
  }

  [Symbol.dispose](): void {
    this.#socket?.close();
  }

  #answerTo(query: Uint8Array): Uint8Array {
    const labels: string[] = [];
    let at = 12;
    while ((query[at] ?? 0) > 0) {
      const length = query[at] ?? 0;
      labels.push(new TextDecoder().decode(query.subarray(at + 1, at + 1 + length)));
      at += 1 + length;
    }
    const name = labels.join(".");
    this.asked.push(name);
    const type = query[at + 2] ?? 0;
    const bytes = addressBytes(this.#addresses[name] ?? "");
    const isFound = bytes !== null && types[bytes.length === 4 ? 4 : 6] === type;
    const code = name in this.#addresses ? 0 : 3;
    const header = [query[0] ?? 0, query[1] ?? 0, 0x81, 0x80 | code, 0, 1, 0, isFound ? 1 : 0, 0, 0, 0, 0];
    const record = isFound ? [0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes] : [];
    return Uint8Array.from([...header, ...query.subarray(12, at + 5), ...record]);
  }
}

function addressBytes(text: string): readonly number[] | null {
  const address = parseAddress(text);
  return address === null ? null : [...(text.includes(":") ? address : address.slice(12))];
}
