export function surveyFunctions(functions: object, lists: () => unknown[][]): { readonly [name: string]: string };
export function lodashArguments(): unknown[][];
export function dateFnsArguments(): unknown[][];
