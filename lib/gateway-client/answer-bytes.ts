/** The body of a response in pieces, as they arrive. */
import { clientSide, GatewayError } from "./gateway-error.ts";

/** Rejects with GatewayError when the body is cut off, so a partial answer never passes as complete. */
export async function* answerBytes(response: Response): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* response.body ?? [];
  } catch (error) {
    throw error instanceof GatewayError
      ? error
      : clientSide("unreachable", "The answer was cut off: the output is incomplete", error);
  }
}
