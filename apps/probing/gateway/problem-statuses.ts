/** Problems of routes that read a JSON body: not JSON, too large, another type, not what it takes, too many at once. */
export const bodyProblems = [400, 413, 415, 422, 429, 503] as const;
