/** What a form of a campaign or discovery asks of the API. */
import { ask } from "./forms.ts";

/** A call of the API. */
export interface Call {
  readonly method: "POST" | "PUT";
  /** Below `/console/call`. */
  readonly path: string;
  readonly body: BodyInit;
  readonly type: "application/json" | "text/plain";
}

export interface Plan {
  /** Null = too little is given. Rejects with the reason that it cannot be used. */
  readonly estimate: (form: HTMLFormElement) => Promise<Call | null>;
  /** From the answer to the estimate. */
  readonly cost: (answer: unknown) => string;
  readonly order: (form: HTMLFormElement, note: (text: string) => void) => Promise<Call>;
  /** Address of the page that follows, from the answer to the order. */
  readonly page: (answer: unknown) => string;
  /** Shows more below the cost. */
  readonly more?: (form: HTMLFormElement) => Promise<void>;
}

export async function answerTo({ method, path, body, type }: Call): Promise<unknown> {
  return (await ask(method, `/console/call${path}`, body, { "content-type": type })).json();
}
