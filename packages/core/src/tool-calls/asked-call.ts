import type { EncodedValue } from "@smolts/protocol";
import type { Run } from "../run/run.ts";

/** A call that the program or the model asked for. */
export interface AskedCall {
  /** The path of its agent, its step and its number. */
  readonly callId: string;
  readonly stepNumber: number;
  /** 1-based within its step, in the order of asking. */
  readonly callIndex: number;
  readonly name: string;
  readonly args: readonly EncodedValue[];
  /** Whether a program asked for it, and not the model in JSON. */
  readonly isCode: boolean;
  /** The provider's id of a native tool call. */
  readonly providerId?: string;
  /** The model's text for the arguments, if that was not JSON. */
  readonly rawInput?: string;
}

/** The id of a call. */
export const callIdOf = ({ path }: Pick<Run, "path">, stepNumber: number, callIndex: number): string =>
  `${path.join("/")}/${stepNumber}.${callIndex}`;
