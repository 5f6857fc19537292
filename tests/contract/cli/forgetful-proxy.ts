/** Passes requests on to a gateway; the first answer to one path is lost on the way back. */
interface ForgetfulProxy extends AsyncDisposable {
  readonly url: string;
  /** Answers that were lost. */
  readonly forgotten: number;
}

export function forgetfulProxy(gateway: string, path: string): ForgetfulProxy {
  let forgotten = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const answer = await fetch(`${gateway}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        ...(request.body === null ? {} : { body: await request.arrayBuffer() }),
        decompress: false,
      });
      if (pathname !== path || forgotten > 0) {
        return answer;
      }
      forgotten++;
      await answer.arrayBuffer();
      // The gateway's work is done; what the caller sees is a proxy that has given up.
      return new Response("The answer is lost", { status: 502 });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    get forgotten() {
      return forgotten;
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
