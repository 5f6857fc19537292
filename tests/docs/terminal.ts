/**
 * A terminal as a reader has it: one shell for all blocks of a scene, so that variables, folders and jobs stay.
 *
 * It is bash, which stops at the first command that fails, at a variable that is not set, and at a pipe of which a
 * part fails. It has a process group of its own, by which everything that was started in it is ended.
 */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";

/** Nobody looks at what is left: who takes longer is killed. */
const endMs = 2000;
const pollMs = 25;

interface TerminalOptions {
  /** Commands are run here; blocks and what they print are kept in `notes`. */
  readonly folder: string;
  readonly notes: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Makes the command line that runs a command where the terminal is; a namespace, for one. */
  readonly within: (command: readonly string[]) => readonly string[];
}

/** One block in a terminal, which may still be running. */
export interface Typed {
  /** Null while it runs; that of a block that stays is 0 at once. */
  readonly exitCode: () => number | null;
  readonly printed: () => string;
  /** Whether it prints no more, a block that stays too. */
  readonly isOver: () => boolean;
}

export class Terminal implements AsyncDisposable {
  readonly #options: TerminalOptions;
  readonly #shell: Subprocess<"pipe", "pipe", "inherit">;
  #reported: readonly number[] = [];
  #typed = 0;

  constructor(options: TerminalOptions) {
    const { folder, environment, within } = options;
    this.#options = options;
    this.#shell = Bun.spawn(["setsid", ...within(["bash", "--norc", "--noprofile"])], {
      cwd: folder,
      env: environment,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    void this.#listen();
    this.#tell("set -uo pipefail");
  }

  /** `stays`: does not wait for its end. `mayFail`: only its last command's exit code counts. */
  type(text: string, { stays, mayFail }: { stays: boolean; mayFail: boolean }): Typed {
    const number = this.#typed++;
    const file = join(this.#options.notes, `${number}.sh`);
    const output = join(this.#options.notes, `${number}.out`);
    writeFileSync(file, `${text}\n`);
    closeSync(openSync(output, "w"));
    const end = join(this.#options.notes, `${number}.end`);
    const source = `. '${file}' >'${output}' 2>&1 </dev/null`;
    const staying = `(trap "echo >'${end}'" EXIT; ${source}) & echo 0`;
    this.#tell(`${mayFail ? "set +e" : "set -e"}; ${stays ? staying : `${source}; echo $?`}`);
    return {
      isOver: () => !stays || existsSync(end),
      exitCode: () => this.#reported[number] ?? this.#shell.exitCode,
      printed: () => readFileSync(output, "utf8"),
    };
  }

  /** Everything that was started in it is asked to end, and killed when it does not. */
  async [Symbol.asyncDispose](): Promise<void> {
    const group = this.#shell.pid;
    membersOf(group).forEach((pid) => void send(pid, "SIGTERM"));
    for (const untilMs = performance.now() + endMs; membersOf(group).length > 0; await Bun.sleep(pollMs)) {
      if (performance.now() > untilMs) {
        membersOf(group).forEach((pid) => void send(pid, "SIGKILL"));
      }
    }
    await this.#shell.exited;
  }

  #tell(line: string): void {
    this.#shell.stdin.write(`${line}\n`);
    this.#shell.stdin.flush();
  }

  /** One line for each block: its exit code. */
  async #listen(): Promise<void> {
    let said = "";
    const decoder = new TextDecoder();
    for await (const chunk of this.#shell.stdout) {
      said += decoder.decode(chunk, { stream: true });
      this.#reported = said.split("\n").slice(0, -1).map(Number);
    }
  }
}

/** Processes of a group that have not ended: one that nobody has asked for its exit code (Z) has. */
function membersOf(group: number): number[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      const [state, , of] = statOf(pid);
      return Number(of) === group && state !== "Z";
    });
}

/** What follows the name in /proc/PID/stat (proc(5)): state, parent, process group. */
function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended by itself.
  }
}
