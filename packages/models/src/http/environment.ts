/**
 * The value of an environment variable; undefined when it is unset or empty, or where there are
 * none (browsers).
 */
export function environmentVariable(name: string): string | undefined {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  };
  const value = process?.env?.[name]?.trim();
  return value === "" ? undefined : value;
}
