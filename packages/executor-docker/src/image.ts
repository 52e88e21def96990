// Provides the image for containers: an existing one, one that is pulled, or one that is built.

import { createHash } from "node:crypto";
import { AgentError, invalidOption } from "@smolts/protocol";
import { type Engine, refused } from "./engine.ts";
import { tarOf } from "./tar.ts";

/** The image that is needed. */
export interface ImageOptions {
  readonly language: "javascript" | "python";
  readonly image: string;
  /** The packages to install on top of the image. */
  readonly packages: readonly string[];
  /** The text of a Dockerfile to use instead of `image`. */
  readonly dockerfile: string | null;
  readonly onProgress: (text: string) => void;
}

/**
 * Makes sure that the image exists, and returns its name.
 *
 * @throws AgentError `executor` if it cannot be pulled or built
 */
export async function ensureImage(engine: Engine, options: ImageOptions, signal: AbortSignal): Promise<string> {
  const { image, packages, dockerfile } = options;
  if (dockerfile === null && packages.length === 0) {
    if (!(await hasImage(engine, image, signal))) await pull(engine, options, signal);
    return image;
  }
  const text = fullDockerfile(options);
  const name = `smolts-${options.language}:${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
  if (!(await hasImage(engine, name, signal))) await build(engine, name, text, options, signal);
  return name;
}

async function hasImage(engine: Engine, name: string, signal: AbortSignal): Promise<boolean> {
  const answer = await engine.request({ method: "GET", path: `/images/${encodeURIComponent(name)}/json`, signal });
  if (answer.status === 404) return false;
  if (answer.status !== 200) throw refused(`looking up the image "${name}"`, answer);
  return true;
}

async function pull(engine: Engine, { image, onProgress }: ImageOptions, signal: AbortSignal): Promise<void> {
  const [name, tag] = splitTag(image);
  onProgress(`pulling ${image}`);
  const path = `/images/create?fromImage=${encodeURIComponent(name)}&tag=${encodeURIComponent(tag)}`;
  let failure: string | null = null;
  const onLine = (line: string): void => {
    const { status, id, error } = progressOf(line);
    if (error) failure = error;
    else if (status) onProgress(id ? `${id}: ${status}` : status);
  };
  const answer = await engine.request({ method: "POST", path, onLine, signal });
  if (answer.status === 200 && failure === null) return;
  const why = failure ?? refused("the pull", answer).message;
  throw new AgentError("executor", `the image "${image}" was not found and cannot be pulled: ${why}`, {
    hint: `check the name, or pull it yourself: docker pull ${image}`,
  });
}

async function build(
  engine: Engine,
  name: string,
  dockerfile: string,
  { packages, onProgress }: ImageOptions,
  signal: AbortSignal,
): Promise<void> {
  const tail: string[] = [];
  let failure: string | null = null;
  const onLine = (line: string): void => {
    const { stream, status, error } = progressOf(line);
    const text = (stream ?? status ?? "").trim();
    if (error) failure = error;
    if (text === "") return;
    onProgress(text);
    tail.push(text);
    if (tail.length > 10) tail.shift();
  };
  onProgress(`building ${name}`);
  const body = tarOf({ Dockerfile: dockerfile });
  const path = `/build?t=${encodeURIComponent(name)}&rm=1&forcerm=1`;
  const answer = await engine.request({ method: "POST", path, body, onLine, signal });
  if (answer.status === 200 && failure === null) return;
  const why = failure ?? refused("the build", answer).message;
  const what =
    packages.length > 0 ? `the packages ${packages.join(", ")} cannot be installed` : "the image cannot be built";
  throw new AgentError("executor", `${what}: ${[why, ...tail].join("\n").slice(0, 2_000)}`, {
    hint:
      packages.length > 0 ? "check the names and versions, and that the image has npm or pip" : "check the Dockerfile",
  });
}

function fullDockerfile({ language, image, packages, dockerfile }: ImageOptions): string {
  const base = dockerfile ?? `FROM ${image}`;
  if (packages.length === 0) return base;
  // Packages are installed in the root folder, so that code finds them in any working directory.
  const install =
    language === "python"
      ? ["python3", "-m", "pip", "install", "--no-cache-dir", ...packages]
      : ["npm", "install", "--prefix", "/", "--no-audit", "--no-fund", ...packages];
  return `${base}\nRUN ${JSON.stringify(install)}\n`;
}

const packageName = /^(?:@[\w.-]+\/)?[A-Za-z0-9][\w.-]*(?:\[[\w,-]+\])?(?:(?:@|[=<>~!^]=?)[\w.*^~<>=!,-]+)?$/;

/**
 * Checks names of packages. @throws AgentError `invalid-option` for a text that is not the name of
 * a package, such as an option of the installer
 */
export function checkPackages(packages: readonly string[]): readonly string[] {
  for (const name of packages) {
    if (!packageName.test(name)) {
      throw invalidOption(
        `packages has ${JSON.stringify(name)}; expected names with or without a version`,
        'write packages: ["lodash@4"] or ["numpy==2.1.0"]',
      );
    }
  }
  return packages;
}

/**
 * Splits the name of an image. Only a colon after the last slash begins the tag; a colon before it
 * belongs to a registry's port.
 */
function splitTag(image: string): [name: string, tag: string] {
  if (image.includes("@")) return [image, ""];
  const colon = image.indexOf(":", image.lastIndexOf("/") + 1);
  return colon === -1 ? [image, "latest"] : [image.slice(0, colon), image.slice(colon + 1)];
}

interface Progress {
  readonly status?: string;
  readonly id?: string;
  readonly stream?: string;
  readonly error?: string;
}

function progressOf(line: string): Progress {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
