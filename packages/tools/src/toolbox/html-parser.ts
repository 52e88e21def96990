// The parser of HTML and XML, loaded at first use. `pnpm build` puts its code in the place of this
// module (`scripts/built.ts`): otherwise the library and those that it needs would be a third of
// the packages that an installation of smolts brings.

export { Parser } from "htmlparser2";
