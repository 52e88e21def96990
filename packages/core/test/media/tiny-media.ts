// The smallest files that still identify their media type.

import { fromBase64 } from "@smolts/protocol";

/** One transparent pixel. */
export const png: Uint8Array = fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
) as Uint8Array; // it is base64

/** The header of a sound file, without any sound. */
export const wav: Uint8Array = new TextEncoder().encode("RIFF\x24\0\0\0WAVEfmt ");
