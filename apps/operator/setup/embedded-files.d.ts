/** Files of `deploy`, imported `with { type: "text" }`, so that they are inside the executable. */
declare module "*.sh" {
  const text: string;
  export default text;
}
declare module "*.properties" {
  const text: string;
  export default text;
}
declare module "*.hujson" {
  const text: string;
  export default text;
}
declare module "*/Caddyfile" {
  const text: string;
  export default text;
}
