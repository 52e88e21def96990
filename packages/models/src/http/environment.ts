/**
 * Returns the value of an environment variable. Undefined if it is unset or empty, and in browsers,
 * which have no environment.
 */
export function environmentVariable(name: string): string | undefined {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  };
  const value = process?.env?.[name]?.trim();
  return value === "" ? undefined : value;
}
