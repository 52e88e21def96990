// Finds the part of a text that the model itself said. Markers of chat templates, repeated results
// and made-up messages of others are not part of it.

/**
 * Matches elements that contain results of tools. If such a result contains the text of a tool
 * call, the model did not make that call.
 */
const echoed =
  /<\|?(tool_response|tool_result|tool_output|function_results?|function_response|observation)s?\|?>[\s\S]*?(?:<\|?\/\1s?\|?>|$)/gi;

/**
 * Matches the point from which another role speaks. The model may have made up the words of that
 * role.
 */
const otherSpeaker =
  /<\|im_start\|>(?!assistant)|<\|(?:im_end|eot_id|eom_id|endoftext|end_of_text|user|observation)\|>|<\/s>|<end_of_turn>|<｜end▁of▁sentence｜>|<｜tool▁outputs▁begin｜>|^[ \t]*(?:observations?|tool (?:result|response|output)s?):/im;

/** Returns a text without the results of tools that the model repeated. */
export const withoutEchoes = (text: string): string => text.replaceAll(echoed, "\n");

/** Returns the text up to the first marker of another speaker, without results of tools. */
export function saidText(text: string): string {
  const own = text.replace(
    /^\s*(?:<\|im_start\|>assistant\s*|<\|start_header_id\|>assistant<\|end_header_id\|>\s*)/,
    "",
  );
  const calls = withoutEchoes(own);
  const end = calls.search(otherSpeaker);
  return (end === -1 ? calls : calls.slice(0, end)).trim();
}
