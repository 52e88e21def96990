import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The environment variable that says which part of a demo a process plays. */
const partVariable = "SMOLTS_DEMO_PART";

/** The part of the demo that this process plays. Undefined in the process that a person started. */
export const partOfDemo = (): { readonly name: string; readonly folder: string } | undefined => {
  const [name, folder] = process.env[partVariable]?.split(" ", 2) ?? [];
  return name && folder ? { name, folder } : undefined;
};

/** Plays one part of a demo in a new process. The result has the signal that killed it. */
export function playInAnotherProcess(
  fileUrl: string,
  name: string,
  folder: string,
): Promise<{ readonly signal: string | null }> {
  const file = fileURLToPath(fileUrl);
  const child = spawn(process.execPath, [...process.execArgv, file, ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { ...process.env, [partVariable]: `${name} ${folder}` },
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code) reject(new Error(`the part "${name}" ended with exit code ${code}`));
      else resolve({ signal });
    });
  });
}
