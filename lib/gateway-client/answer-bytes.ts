/** The body of an answer as it comes, piece by piece. */
import { clientSide, GatewayError } from "./gateway-error.ts";

/** Rejects with GatewayError when the answer breaks off: it is never taken for a whole one. */
export async function* answerBytes(response: Response): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* response.body ?? [];
  } catch (error) {
    throw error instanceof GatewayError
      ? error
      : clientSide("unreachable", "The answer has broken off: what was shown is not all", error);
  }
}
