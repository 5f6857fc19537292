/** The worker's URL: beside this file, and in the executable beside the bundle (tests/build.ts). */
export const recorderUrl = new URL("./recorder-worker.ts", import.meta.url);
