/** Writes a name with underscores, as in Python: `maxSteps` becomes `max_steps`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
