/** Where the worker is: beside this file, and in the one executable beside all that is bundled (tests/build.ts). */
export const recorderUrl = new URL("./recorder-worker.ts", import.meta.url);
