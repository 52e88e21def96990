export { type E2bOptions, e2b } from "./e2b.ts";
