import type { EncodedValue } from "@smolts/protocol";
import type { Run } from "../run/run.ts";

/** A call that the program or the model made. */
export interface AskedCall {
  /** The id of the call: the path of its agent, its step and its number. */
  readonly callId: string;
  readonly stepNumber: number;
  /** The number of the call in its step, from 1, in the order in which the calls were made. */
  readonly callIndex: number;
  readonly name: string;
  readonly args: readonly EncodedValue[];
  /** True if a program made the call; false if the model wrote it as JSON. */
  readonly isCode: boolean;
  /** The id that the provider gave the call, if it is a native tool call. */
  readonly providerId?: string;
  /** The arguments as the model wrote them, if that text is not valid JSON. */
  readonly rawInput?: string;
}

/** Returns the id of a call. */
export const callIdOf = ({ path }: Pick<Run, "path">, stepNumber: number, callIndex: number): string =>
  `${path.join("/")}/${stepNumber}.${callIndex}`;
