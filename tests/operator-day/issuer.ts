/** An identity provider of the operator's own, at 127.0.0.1:8095. */
import { startIssuer } from "../../apps/stack/issuer/issuer.ts";

await startIssuer({ port: 8095, audience: "urn:vantage" });
