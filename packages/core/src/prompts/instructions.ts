/** Returns a system prompt with the user's own instructions at its end, if there are any. */
export const withInstructions = (prompt: string, instructions: string | undefined): string =>
  instructions === undefined || instructions.trim() === ""
    ? prompt
    : `${prompt}\n\nInstructions:\n${instructions.trim()}`;
