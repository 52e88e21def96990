import { nearestName, type SerializedError } from "@smolts/protocol";
import { excerpt } from "../diagnostics/excerpt.ts";
import type { Position } from "../guest-throw.ts";
import { Breach } from "../limits.ts";

/**
 * Ends the execution because of an import that is not allowed. Guest code cannot catch it. So no
 * program continues without a module that it tried to import.
 */
export class ImportRefusal extends Breach {
  readonly error: SerializedError;

  constructor(error: SerializedError) {
    super("import-refused");
    this.error = error;
  }
}

/** Creates the refusal of an import. Its message lists the allowed modules. */
export function refuseImport(specifier: string, allowed: readonly string[], position: Position | null): ImportRefusal {
  const list = allowed.map((name) => JSON.stringify(name)).join(", ");
  const near = nearestName(specifier, allowed);
  return new ImportRefusal({
    code: "import-refused",
    message: withPlace(
      `import of "${shortened(specifier)}" is not allowed; ${list === "" ? "no module can be imported here" : `authorised imports are: ${list}`}`,
      position,
    ),
    hint:
      near === undefined
        ? "use the functions that were declared and the language's own built-ins"
        : `did you mean "${near}"?`,
  });
}

/** Creates the refusal of an import whose module or file does not exist. */
export function missingModule(message: string, position: Position | null, hint?: string): ImportRefusal {
  return new ImportRefusal({
    code: "import-refused",
    message: withPlace(message, position),
    ...(hint === undefined ? {} : { hint }),
  });
}

const withPlace = (message: string, position: Position | null): string =>
  position ? `${message}\n${excerpt(position, placeName(position))}` : message;

const placeName = ({ source }: Position): string => (source.isModule ? ` of ${source.name}` : "");

const maxSpecifierLength = 200;

/** Shortens a specifier for a message. */
export const shortened = (specifier: string): string =>
  specifier.length > maxSpecifierLength ? `${specifier.slice(0, maxSpecifierLength)}...` : specifier;
