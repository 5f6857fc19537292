/** The worker's URL: beside this file, and in the executable beside the bundle (tests/build.ts). */
export const consumerUrl = new URL("./consumer-worker.ts", import.meta.url);
