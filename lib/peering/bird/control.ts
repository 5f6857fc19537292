/**
 * BIRD's control socket: one connection for each command, so that nothing is left over from the previous one.
 *
 * A command is one line. Callers build commands from numbers and names of our own, never from foreign text. Queries are
 * sent after `restrict`, so that BIRD refuses any change on that connection.
 */
import { createConnection } from "node:net";
import { Failure } from "../../base/failure/failure.ts";
import { answerBytesMax, answerMsMax } from "./limits.ts";
import { type ReplyLine, ReplyReader } from "./reply-reader.ts";

const firstRefusal = 8000;

/** BIRD's reply to a `show` that a reconfiguration interrupted: the same query works on the next try. */
const cutOff = "Stopped due to reconfiguration";
const triesMax = 5;

/**
 * Resolves to BIRD's reply to a query: `show …` or `eval …`, anything else is refused. Throws Failure `daemon` when
 * BIRD refuses, or does not reply in time.
 *
 * A `show` that a reconfiguration interrupts is repeated, five times in all.
 */
export async function askBird(socketPath: string, question: string): Promise<ReplyLine[]> {
  const commands = ["restrict", question];
  let answers = await exchange(socketPath, commands);
  const isCutOff = () =>
    question.startsWith("show ") && answers[1]?.some(({ text }) => text.includes(cutOff));
  for (let tries = 1; isCutOff() && tries < triesMax; tries++) {
    answers = await exchange(socketPath, commands);
  }
  return lastOf(answers, commands);
}

/** Runs a command that changes something: `configure`, `disable NAME`. Throws Failure `daemon`, like `askBird`. */
export async function orderBird(socketPath: string, order: string): Promise<ReplyLine[]> {
  return lastOf(await exchange(socketPath, [order]), [order]);
}

function lastOf(answers: readonly ReplyLine[][], commands: readonly string[]): ReplyLine[] {
  for (const [index, command] of commands.entries()) {
    const refusal = answers[index]?.find(({ code }) => code >= firstRefusal);
    if (refusal !== undefined) {
      throw new Failure("daemon", "refused", `BIRD refuses "${command}": ${refusal.text}`);
    }
  }
  return answers.at(-1) ?? [];
}

/** Sends each command after the reply to the previous one; stops at the first that is refused. */
function exchange(socketPath: string, commands: readonly string[]): Promise<ReplyLine[][]> {
  return new Promise((resolve, reject) => {
    const reader = new ReplyReader();
    const answers: ReplyLine[][] = [];
    let bytes = 0;
    const socket = createConnection(socketPath);
    const fail = (why: string) => {
      clearTimeout(timer);
      socket.destroy();
      const message = `Cannot query BIRD at ${socketPath}: ${why}; is it running, and may this user write there?`;
      reject(new Failure("daemon", "unreachable", message));
    };
    const timer = setTimeout(() => fail(`no reply in ${answerMsMax} ms`), answerMsMax);
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > answerBytesMax) {
        fail(`its reply is longer than ${answerBytesMax} bytes`);
        return;
      }
      for (const answer of reader.read(chunk)) {
        answers.push(answer);
        const command = commands[answers.length - 1];
        if (command === undefined || answer.some(({ code }) => code >= firstRefusal)) {
          clearTimeout(timer);
          socket.destroy();
          // The first reply is the greeting.
          resolve(answers.slice(1));
          return;
        }
        socket.write(`${command}\n`);
      }
    });
    socket.on("error", (error) => fail(error.message));
    socket.on("close", () => fail("it closed the connection"));
  });
}
