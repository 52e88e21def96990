// Exports the HTML and XML parser, which is loaded at its first use. `pnpm build` replaces this
// module with the parser's code (see `scripts/built.ts`), so that users need not install the
// parser. With its dependencies, it would be a third of the packages in an installation of smolts.

export { Parser } from "htmlparser2";
