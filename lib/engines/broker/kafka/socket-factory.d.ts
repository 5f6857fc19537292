/** The part of kafkajs 2.2.4 that opens sockets; it has no types of its own. */
declare module "kafkajs/src/network/socketFactory" {
  import type { ISocketFactory } from "kafkajs";

  export default function socketFactory(): ISocketFactory;
}
