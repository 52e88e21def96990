import { ProgramSyntaxError } from "../parse.ts";

/** A program is TypeScript and uses what is more than a type, such as an enum. */
export class TypeRefusal extends ProgramSyntaxError {}
