/**
 * BIRD's control socket: one connection for each command, so that nothing is left over from the one before.
 *
 * A command is one line. Callers build commands from numbers and names of our own, never from foreign text.
 */

import { createConnection } from "node:net";
import { Failure } from "../failure/failure.ts";
import { answerBytesMax, answerMsMax } from "./limits.ts";
import { type ReplyLine, ReplyReader } from "./reply-reader.ts";

const firstRefusal = 8000;

/** BIRD's reply to a `show` that a reconfiguration interrupted: the same question works on the next try. */
const cutOff = "Stopped due to reconfiguration";
const triesMax = 5;

/**
 * Resolves to the answer. Throws Failure `daemon` when BIRD refuses, or does not answer in time.
 *
 * A `show` that a reconfiguration interrupts is repeated, five times in all.
 */
export async function askBird(socketPath: string, command: string): Promise<ReplyLine[]> {
  let answer = await exchange(socketPath, command);
  const isCutOff = () => command.startsWith("show ") && answer.some(({ text }) => text.includes(cutOff));
  for (let tries = 1; isCutOff() && tries < triesMax; tries++) {
    answer = await exchange(socketPath, command);
  }
  const refusal = answer.find(({ code }) => code >= firstRefusal);
  if (refusal !== undefined) {
    throw new Failure("daemon", "refused", `BIRD refuses "${command}": ${refusal.text}`);
  }
  return answer;
}

function exchange(socketPath: string, command: string): Promise<ReplyLine[]> {
  return new Promise((resolve, reject) => {
    const reader = new ReplyReader();
    const answers: ReplyLine[][] = [];
    let bytes = 0;
    const socket = createConnection(socketPath);
    const fail = (why: string) => {
      clearTimeout(timer);
      socket.destroy();
      const message = `Cannot ask BIRD at ${socketPath}: ${why}; is it running, and may this user write there?`;
      reject(new Failure("daemon", "unreachable", message));
    };
    const timer = setTimeout(() => fail(`no answer in ${answerMsMax} ms`), answerMsMax);
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > answerBytesMax) {
        fail(`its answer is longer than ${answerBytesMax} bytes`);
        return;
      }
      answers.push(...reader.read(chunk));
      // The first answer is the greeting.
      const [, answer] = answers;
      if (answer !== undefined) {
        clearTimeout(timer);
        socket.destroy();
        resolve(answer);
      }
    });
    socket.on("connect", () => socket.write(`${command}\n`));
    socket.on("error", (error) => fail(error.message));
    socket.on("close", () => fail("it closed the connection"));
  });
}
