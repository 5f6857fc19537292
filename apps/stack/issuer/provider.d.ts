declare module "oidc-provider/lib/provider.js" {
  /** The package without its entry file, which prints a warning about every runtime but Node.js. */
  export { Provider } from "oidc-provider";
}
