import { ProgramSyntaxError } from "../parse.ts";

/** Thrown for a TypeScript program that uses syntax that is more than a type, such as an enum. */
export class TypeRefusal extends ProgramSyntaxError {}
