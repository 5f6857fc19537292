/** Ctrl-C and SIGTERM: the first lets the command report its progress, a second one ends the process at once. */
/** A shell's exit code for a process that SIGINT ended: 128 and the signal's number. */
const interruptedExitCode = 130;

interface Interruption extends Disposable {
  readonly signal: AbortSignal;
}

export function listenForInterrupt(): Interruption {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) {
      process.exit(interruptedExitCode);
    }
    controller.abort();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}
