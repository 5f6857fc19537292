/**
 * Copies of an embedded database while it runs. Only its own process may touch its files, so that process copies them,
 * whenever a backup connects to a socket in the database's run folder.
 *
 * The engine runs in this thread, so its files do not change while they are copied. A copy is as if the process had
 * been killed at that moment: its write-ahead log makes it whole when it is opened.
 */
import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { systemReason } from "../../../base/failure/system-reason.ts";

/** Below the database's directory. */
const clusterName = "pgdata";
const copyPrefix = "copy-";
/** Names the socket, which is elsewhere when its path would be too long for the kernel. */
const pointerName = "copy.path";

/** Bytes of an answer: a path, or a sentence. */
const answerBytesMax = 8192;
const okWord = "ok ";

interface CopySource {
  readonly engine: PGlite;
  /** The database's directory. */
  readonly home: string;
  /** Where its sockets are. */
  readonly runFolder: string;
}

interface Session {
  /** Null before the copy is made. */
  folder: string | null;
  isOver: boolean;
}

/** One copy for each connection, removed when that ends. */
export function serveCopies({ engine, home, runFolder }: CopySource): Disposable {
  removeCopies(home);
  const path = join(runFolder, "copy");
  const server = Bun.listen<Session>({
    unix: path,
    socket: {
      async open(socket) {
        const session: Session = { folder: null, isOver: false };
        socket.data = session;
        try {
          session.folder = await engine.runExclusive(async () => copied(home));
          socket.write(`${okWord}${session.folder}\n`);
        } catch (error) {
          socket.end(`${systemReason(error)}\n`);
        }
        removeIfOver(session);
      },
      data() {},
      close(socket) {
        socket.data.isOver = true;
        removeIfOver(socket.data);
      },
    },
  });
  chmodSync(path, 0o600);
  writeFileSync(join(home, pointerName), path, { mode: 0o600 });
  return {
    [Symbol.dispose]: () => {
      server.stop(true);
      rmSync(join(home, pointerName), { force: true });
      removeCopies(home);
    },
  };
}

/** The folder of the copy. Shares blocks with the original where the file system can. */
function copied(home: string): string {
  const folder = mkdtempSync(join(home, copyPrefix));
  try {
    cpSync(join(home, clusterName), join(folder, clusterName), {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
    });
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function removeIfOver({ folder, isOver }: Session): void {
  if (folder !== null && isOver) {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Those of a killed process, too. */
function removeCopies(home: string): void {
  for (const name of readdirSync(home).filter((one) => one.startsWith(copyPrefix))) {
    rmSync(join(home, name), { recursive: true, force: true });
  }
}

/**
 * Has the process that runs a database copy it, and moves the copy into `target`, an empty folder, which can then be
 * opened as a database. Resolves to false when no process runs it. Rejects with an Error when that cannot copy it.
 */
export async function copyRunning(directory: string, target: string): Promise<boolean> {
  const socketPath = socketOf(directory);
  if (socketPath === null) {
    return false;
  }
  const answer = Promise.withResolvers<string>();
  let text = "";
  const socket = await connected(socketPath, {
    data: (bytes) => {
      text += bytes.toString();
      if (text.endsWith("\n") || text.length > answerBytesMax) {
        answer.resolve(text.trim());
      }
    },
    close: () => answer.reject(new Error("the process that runs it has ended")),
  });
  if (socket === null) {
    return false;
  }
  try {
    const said = await answer.promise;
    if (!said.startsWith(okWord)) {
      throw new Error(said);
    }
    cpSync(said.slice(okWord.length), target, { recursive: true, mode: constants.COPYFILE_FICLONE });
    return true;
  } finally {
    socket.end();
  }
}

function socketOf(directory: string): string | null {
  const pointer = join(directory, pointerName);
  return existsSync(pointer) ? readFileSync(pointer, "utf8") : null;
}

interface Listening {
  readonly data: (bytes: Buffer) => void;
  readonly close: () => void;
}

/** Null when nothing listens: the process was killed. */
async function connected(unix: string, { data, close }: Listening): Promise<{ end(): void } | null> {
  try {
    return await Bun.connect({ unix, socket: { data: (_, bytes) => data(bytes), close, error: close } });
  } catch {
    return null;
  }
}
