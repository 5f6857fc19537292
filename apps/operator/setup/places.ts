/** Where a platform on one machine has what several of its files name. */

export const stackFolder = "/var/lib/vantage/stack";
export const storeFolder = `${stackFolder}/store`;
/** The embedded broker keeps its log there. */
export const logFolder = `${stackFolder}/broker`;
/** Owns the folders of broker and store, which are its own alone. */
export const stackUser = "vantage-stack";
/** HOST:PORT. */
export const probingGatewayPlace = "127.0.0.1:8093";
export const peeringGatewayPlace = "127.0.0.1:8094";
