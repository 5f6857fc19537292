/** Problems of routes with a JSON body: not JSON, too large, another type, invalid, too many concurrent requests. */
export const bodyProblems = [400, 413, 415, 422, 429, 503] as const;
