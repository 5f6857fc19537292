/** A BIRD of the stack's exchange, as a child of its process. */
import { isFailure } from "../../../lib/base/failure/failure.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { askBird } from "../../../lib/peering/bird/control.ts";
import { birdAnswerMsMax } from "../limits.ts";
import { rootPath } from "./ip-command.ts";

interface BirdOrder {
  /** For people. */
  readonly name: string;
  readonly config: string;
  readonly socket: string;
  readonly pid: string;
  /** Null = that of this process. */
  readonly namespace: string | null;
}

export interface RunningBird {
  readonly end: () => Promise<void>;
  /** Rejects when BIRD ends by itself; never resolves. */
  readonly failed: Promise<never>;
}

/** It ends with this process, however that ends. Resolves when it answers. */
export async function startBird(order: BirdOrder): Promise<RunningBird> {
  const { name, config, socket, pid, namespace } = order;
  const command = ["bird", "-f", "-c", config, "-s", socket, "-P", pid];
  const within = namespace === null ? [] : ["ip", "netns", "exec", namespace];
  const child = Bun.spawn(["setpriv", "--pdeathsig", "KILL", ...within, ...command], {
    env: { ...process.env, PATH: rootPath },
    stdin: "ignore",
    stdout: "inherit",
    stderr: "pipe",
  });
  const said = new Response(child.stderr).text();
  let isEnding = false;
  const failed = child.exited.then(async (code) => {
    const words = (await said).trim();
    return isEnding
      ? new Promise<never>(() => {})
      : Promise.reject(cannot(`${name} has ended with exit code ${code}: ${words}`));
  });
  failed.catch(() => undefined);
  const end = async () => {
    isEnding = true;
    child.kill("SIGTERM");
    await child.exited;
  };
  try {
    await Promise.race([answers(socket), failed]);
  } catch (error) {
    await end();
    throw error;
  }
  return { end, failed };
}

async function answers(socket: string): Promise<void> {
  const untilMs = performance.now() + birdAnswerMsMax;
  while (!(await isAnswering(socket))) {
    if (performance.now() > untilMs) {
      throw cannot(`BIRD does not answer in ${birdAnswerMsMax} ms; see its log (journalctl -t bird)`);
    }
    await Bun.sleep(50);
  }
}

async function isAnswering(socket: string): Promise<boolean> {
  try {
    await askBird(socket, "show status");
    return true;
  } catch (error) {
    if (isFailure(error, "daemon")) {
      return false;
    }
    throw error;
  }
}
