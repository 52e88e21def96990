// The lines of a program on their way to the host. A host keeps each as an event, shows it, and
// writes it to a log: for a program that prints for ever that takes far longer than printing does,
// and nobody can end the run meanwhile. So from a number of lines on they are handed over many at
// once.
//
// A replay must hand over the same texts. So nothing here depends on time: the lines are handed
// over at the latest before a call, and when the program rests.

import type { ConsoleLine } from "@smolts/protocol";

const handedOverOneByOne = 1_000;
const longestText = 4_096;

/** Gathers the lines of one execution. */
export class PrintedLines {
  readonly #handOver: (line: ConsoleLine) => void;
  #count = 0;
  #levelChanges = 0;
  #level: ConsoleLine["level"] = "log";
  #texts: string[] = [];
  #characters = 0;

  constructor(handOver: (line: ConsoleLine) => void) {
    this.#handOver = handOver;
  }

  /** How often lines of one level could not be gathered with those of another before them. */
  get levelChanges(): number {
    return this.#levelChanges;
  }

  add(line: ConsoleLine): void {
    if (this.#count < handedOverOneByOne) {
      this.#count++;
      return this.#handOver(line);
    }
    if (line.level !== this.#level) this.#levelChanges++;
    if (line.level !== this.#level || this.#characters + line.text.length > longestText) this.flush();
    this.#level = line.level;
    this.#texts.push(line.text);
    this.#characters += line.text.length + 1;
  }

  /** Hands over what was gathered, as one text with a line for each. */
  flush(): void {
    if (this.#texts.length === 0) return;
    const text = this.#texts.join("\n");
    this.#texts = [];
    this.#characters = 0;
    this.#handOver({ level: this.#level, text });
  }
}
