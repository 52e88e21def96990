export { typecheck } from "./typecheck.ts";
