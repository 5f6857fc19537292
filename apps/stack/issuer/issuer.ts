/**
 * A development issuer: OpenID Connect on loopback, where anyone logs in as anyone by typing a name.
 *
 * The platform can be tried and tested with really issued tokens: device flow, refresh, client
 * credentials, discovery. It listens on loopback only; nothing can make it listen elsewhere.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Provider } from "oidc-provider/lib/provider.js";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import { FirstPerson } from "./first-person.ts";
import { issuerSecrets } from "./issuer-keys.ts";
import { issuerPage, loginForm } from "./issuer-page.ts";
import { issuerSettings, type WebClient } from "./issuer-settings.ts";
import { issuerStorage } from "./issuer-storage.ts";
import { formBytesMax, nameCharsMax } from "./limits.ts";

interface IssuerOptions {
  /** 0 = any that is free. */
  readonly port: number;
  /** Keys and logins are kept there; without it they end with the process. */
  readonly directory?: string;
  /** `aud` of access tokens: an absolute URI. */
  readonly audience?: string;
  /** A service that people log in to with their browser. */
  readonly webClient?: WebClient;
}

export interface Issuer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`: `iss` of its tokens. */
  readonly url: string;
  readonly audience: string;
}

export const audienceDefault = "urn:vantage";

/** At the address that the stack prints: a person who opens it wants to log in. */
const startPage = {
  title: "Log in",
  text: "Programs send you here: vantage login, and the console.",
  form: `<form id="start" action="/device"></form>`,
  formId: "start",
  button: "Type the code that your terminal shows",
} as const;

/** Throws an Error, with the next step, when the port is taken. */
export async function startIssuer(options: IssuerOptions): Promise<Issuer> {
  const { port, directory = null, audience = audienceDefault, webClient = null } = options;
  const secrets = await issuerSecrets(directory);
  const server = createServer();
  const url = `http://127.0.0.1:${await listen(server, port)}`;
  const storage = issuerStorage(directory);
  const first = new FirstPerson(directory);
  const provider = new Provider(url, issuerSettings({ secrets, storage, audience, webClient, first }));
  const answer = provider.callback();
  server.on("request", (request, response) => {
    if (request.url === "/") {
      response.setHeader("content-type", "text/html; charset=utf-8").end(issuerPage(startPage));
      return;
    }
    const isLogin = request.url?.startsWith("/login/") === true;
    const answered = isLogin ? login(provider, request, response) : answer(request, response);
    answered.catch((error: unknown) => fail(response, error));
  });
  return {
    url,
    audience,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      storage[Symbol.dispose]();
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      reject(
        new Error(
          `Cannot listen on 127.0.0.1:${port}: ${systemReason(cause)}; give another with --issuer-port`,
          { cause },
        ),
      );
    });
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

async function login(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt } = await provider.interactionDetails(request, response);
  if (prompt.name !== "login") {
    await provider.interactionFinished(request, response, { consent: {} }, { mergeWithLastSubmission: true });
    return;
  }
  const accountId = request.method === "POST" ? await postedName(request) : null;
  if (accountId !== null) {
    await provider.interactionFinished(request, response, { login: { accountId } });
    return;
  }
  const text = "Type any name: you are that user from then on.";
  const page = { title: "Log in", text, form: loginForm, formId: "login", button: "Log in" };
  response.setHeader("content-type", "text/html; charset=utf-8").end(issuerPage(page));
}

/** Null without a valid subject. */
async function postedName(request: IncomingMessage): Promise<string | null> {
  let form = "";
  for await (const chunk of request) {
    form += chunk;
    if (form.length > formBytesMax) {
      return null;
    }
  }
  const name = new URLSearchParams(form).get("name")?.trim() ?? "";
  return /^[\x20-\x7e]+$/.test(name) && name.length <= nameCharsMax ? name : null;
}

function fail(response: ServerResponse, error: unknown): void {
  const text = systemReason(error);
  response.statusCode = 400;
  response
    .setHeader("content-type", "text/html; charset=utf-8")
    .end(issuerPage({ title: "Something went wrong", text, form: null }));
}
