/** The worker's URL: beside this file, and in the executable beside the bundle (tests/build.ts). */
export const gatewayUrl = new URL("./gateway-worker.ts", import.meta.url);
