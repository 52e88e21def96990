import { english } from "./english.ts";
import type { Strings } from "./strings.ts";

export const arabic: Strings = english;
