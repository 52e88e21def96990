// Sends the printed lines of a program to the host. The host keeps each text that it receives as an
// event, shows it, and writes it to a log, which takes far longer than the printing. While code
// prints without waiting, only the limit on printed characters can end the run. So after the first
// 1,000 lines, many lines are sent as one text.
//
// A replay must send the same texts, so the moments of sending must not depend on time. Collected
// lines are sent when they are long enough, when the level changes, before each call, and when the
// guest is idle.

import type { ConsoleLine } from "@smolts/protocol";

const maxSingleLines = 1_000;
const maxTextLength = 4_096;

/** Collects the lines of one execution. */
export class PrintedLines {
  readonly #send: (line: ConsoleLine) => void;
  #count = 0;
  #levelChanges = 0;
  #level: ConsoleLine["level"] = "log";
  #texts: string[] = [];
  #characters = 0;

  constructor(send: (line: ConsoleLine) => void) {
    this.#send = send;
  }

  /** How often lines had to be sent because the next line had a different level. */
  get levelChanges(): number {
    return this.#levelChanges;
  }

  add(line: ConsoleLine): void {
    if (this.#count < maxSingleLines) {
      this.#count++;
      return this.#send(line);
    }
    if (line.level !== this.#level) this.#levelChanges++;
    if (line.level !== this.#level || this.#characters + line.text.length > maxTextLength) this.flush();
    this.#level = line.level;
    this.#texts.push(line.text);
    this.#characters += line.text.length + 1;
  }

  /** Sends the collected lines as one text. */
  flush(): void {
    if (this.#texts.length === 0) return;
    const text = this.#texts.join("\n");
    this.#texts = [];
    this.#characters = 0;
    this.#send({ level: this.#level, text });
  }
}
