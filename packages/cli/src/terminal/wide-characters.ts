import { eastAsianWidth } from "get-east-asian-width";

/** Says whether a character takes two columns of a terminal. */
export const isWide = (character: string): boolean => eastAsianWidth(character.codePointAt(0) ?? 0) === 2;
