/** What a process that goes on says, waited for. */

/** What the pattern's first group finds in what a process says; else rejects with all that it said until it ended. */
export function saidBy(stream: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> {
  const found = Promise.withResolvers<string>();
  const decoder = new TextDecoder();
  let said = "";
  // To its end, also behind what was found: a process must not write to a pipe that nobody reads.
  const listen = async () => {
    for await (const chunk of stream) {
      said += decoder.decode(chunk, { stream: true });
      const text = pattern.exec(said)?.[1];
      if (text !== undefined) {
        found.resolve(text);
      }
    }
    found.reject(new Error(`It does not run: ${said}`));
  };
  void listen();
  return found.promise;
}
