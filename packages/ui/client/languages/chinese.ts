import { english } from "./english.ts";
import type { Strings } from "./strings.ts";

export const chinese: Strings = english;
