/** Asks a port of this machine for Kafka's metadata, as clients do first: the sign that a broker serves. */
import { connect } from "node:net";

const answerLimitMs = 2_000;
/** Metadata, version 5, correlation 1, client id null; topics null = all; creates none. */
const request = Buffer.from("0000000f" + "0003" + "0005" + "00000001" + "ffff" + "ffffffff" + "00", "hex");

/** True when it names at least one broker; false on silence, refusal, or anything else. */
export function answersMetadata(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    const end = (answer: boolean) => {
      clearTimeout(late);
      socket.destroy();
      resolve(answer);
    };
    const late = setTimeout(() => end(false), answerLimitMs);
    socket.on("connect", () => socket.write(request));
    // Length 4, correlation 4, throttle time 4, then the number of brokers. A broker that is still joining says 0.
    socket.on("data", (bytes: Buffer) => end(bytes.length >= 16 && bytes.readInt32BE(12) > 0));
    socket.on("error", () => end(false));
    socket.on("close", () => end(false));
  });
}
