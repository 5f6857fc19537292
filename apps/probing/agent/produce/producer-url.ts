/** The worker's URL: beside this file, and in the executable beside the bundle (tests/build.ts). */
export const producerUrl = new URL("./producer-worker.ts", import.meta.url);
