import type { ChatMessage } from "@smolts/protocol";

/** The beginning of a conversation, and its text. */
interface Prefix {
  readonly messages: readonly ChatMessage[];
  readonly text: string;
}

/**
 * The texts of the beginnings of conversations. A conversation only grows, and its messages stay the same objects: what one request wrote of it is
 * the beginning of what the next one writes, so that a late request costs hardly more than an early one.
 */
export class KeptPrefixes {
  readonly #byLastMessage = new WeakMap<ChatMessage, Prefix>();

  /** The longest kept beginning of these messages: how many they are, and their text. */
  find(messages: readonly ChatMessage[]): { readonly count: number; readonly text: string } {
    for (let count = messages.length; count > 0; count--) {
      const prefix = this.#byLastMessage.get(messages[count - 1] as ChatMessage); // within the list
      if (prefix && isBeginning(prefix.messages, messages, count)) return { count, text: prefix.text };
    }
    return { count: 0, text: "" };
  }

  /** Keeps a beginning in place of the shorter one that ends with the message before `replaced`. */
  keep(messages: readonly ChatMessage[], text: string, replaced: number): void {
    const [shorter, last] = [messages[replaced - 1], messages.at(-1)];
    if (shorter) this.#byLastMessage.delete(shorter);
    if (last) this.#byLastMessage.set(last, { messages, text });
  }
}

function isBeginning(prefix: readonly ChatMessage[], messages: readonly ChatMessage[], count: number): boolean {
  return prefix.length === count && prefix.every((message, index) => message === messages[index]);
}
