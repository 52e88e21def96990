// The part of a text that the model said itself: without marks of chat templates, results that it
// echoes, and turns that it makes up for others.

/** Elements around results of tools: what is in them was never called. */
const echoed =
  /<\|?(tool_response|tool_result|tool_output|function_results?|function_response|observation)s?\|?>[\s\S]*?(?:<\|?\/\1s?\|?>|$)/gi;

/** From here on another speaks, or the model made that up. */
const otherSpeaker =
  /<\|im_start\|>(?!assistant)|<\|(?:im_end|eot_id|eom_id|endoftext|end_of_text|user|observation)\|>|<\/s>|<end_of_turn>|<｜end▁of▁sentence｜>|<｜tool▁outputs▁begin｜>|^[ \t]*(?:observations?|tool (?:result|response|output)s?):/im;

/** The text up to where another speaks, without results. */
export function saidText(text: string): string {
  const own = text.replace(
    /^\s*(?:<\|im_start\|>assistant\s*|<\|start_header_id\|>assistant<\|end_header_id\|>\s*)/,
    "",
  );
  const calls = own.replaceAll(echoed, "\n");
  const end = calls.search(otherSpeaker);
  return (end === -1 ? calls : calls.slice(0, end)).trim();
}
