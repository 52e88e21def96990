// Takes files from visitors, and passes them to the agent. The bytes of a file are stored in the
// session's log. The name of a file is only data and never used as a path.

import type { BlobRef, RunLog } from "@smolts/protocol";
import type { TaskPart } from "../agent-shape.ts";
import type { Upload, UploadRules } from "../wire.ts";
import { endingOf, mediaTypeOf, nameFitsType, utf8Text } from "./media-type.ts";
import { RefusedRequest } from "./refusal.ts";
import { cappedBytes } from "./request-body.ts";
import type { Task } from "./run-task.ts";
import { randomSecret } from "./secrets.ts";

interface StoredUpload extends Upload {
  readonly source: BlobRef;
}

/**
 * The maximum number of a session's uploaded files that wait to be sent with a message. If there
 * are more, the oldest are dropped.
 */
const maxWaiting = 200;

/** The files of one session. */
export class Uploads {
  readonly #rules: UploadRules | null;
  readonly #stored = new Map<string, StoredUpload>();

  constructor(rules: UploadRules | null) {
    this.#rules = rules;
  }

  /** Stores a file. @throws RefusedRequest `wrong-type` or `too-large`, which names the rule */
  async take(request: Request, givenName: string, log: RunLog): Promise<Upload> {
    const rules = this.#rules;
    if (!rules) throw new RefusedRequest("wrong-type", "this page does not accept files");
    const name = plainName(givenName);
    const bytes = await cappedBytes(request, rules.maxBytes);
    const mediaType = mediaTypeOf(bytes, name);
    checkType(name, mediaType, rules.accept);
    const source = await log.putBlob(bytes, mediaType);
    const upload = { id: randomSecret(), name, mediaType, size: bytes.length };
    this.#stored.set(upload.id, { ...upload, source });
    for (const id of [...this.#stored.keys()].slice(0, -maxWaiting)) this.#stored.delete(id);
    return upload;
  }

  /**
   * Creates a task from a message with files. Images and sounds are sent to the model. All files
   * are in the variable `files` of the agent's code.
   */
  async taskWith(text: string, ids: readonly string[], log: RunLog): Promise<Task> {
    if (ids.length === 0) return { content: text };
    const maxFiles = this.#rules?.maxFiles ?? 0;
    if (ids.length > maxFiles) throw new RefusedRequest("bad-request", `a message may have at most ${maxFiles} files`);
    const uploads = ids.map((id) => this.#get(id));
    const files = new Map<string, unknown>();
    for (const { name, source } of uploads) {
      const bytes = await log.readBlob(source.digest);
      files.set(freeName(name, files), utf8Text(bytes) ?? bytes);
    }
    const media = uploads.flatMap(mediaPart);
    return {
      content: [{ type: "text", text: text === "" ? "Look at the files." : text }, ...media],
      variables: { files: Object.fromEntries(files) },
    };
  }

  #get(id: string): StoredUpload {
    const upload = this.#stored.get(id);
    if (upload) return upload;
    throw new RefusedRequest("not-found", "a file of this message no longer exists", { hint: "add it again" });
  }
}

/** Returns the part of the task for a file. Only images and sounds are sent to the model. */
function mediaPart({ mediaType, source, name }: StoredUpload): readonly TaskPart[] {
  const [type] = mediaType.split("/");
  return type === "image" || type === "audio" ? [{ type, source, name }] : [];
}

/** Returns the file's name without folders and invisible characters. */
function plainName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? "";
  const name = last
    .replace(/[\p{C}\u2028\u2029]/gu, "")
    .trim()
    .slice(0, 120);
  // The agent's code finds files by name as properties of an object, and `__proto__` cannot be an
  // ordinary property.
  const isReserved = name === "" || name === "__proto__" || /^\.+$/.test(name);
  return isReserved ? "file" : name;
}

/** Returns a name that no other file has. */
function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  const ending = endingOf(name);
  const stem = name.slice(0, name.length - ending.length);
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${stem} (${number})${ending}`;
    if (!taken.has(candidate)) return candidate;
  }
}

function checkType(name: string, mediaType: string, accept: UploadRules["accept"]): void {
  if (!nameFitsType(name, mediaType)) {
    throw new RefusedRequest("wrong-type", `"${name}" is called ${endingOf(name)}, but contains ${mediaType}`);
  }
  if (accept.some((rule) => fits(rule, name, mediaType))) return;
  throw new RefusedRequest("wrong-type", `"${name}" contains ${mediaType}; expected ${accept.join(", ")}`, {
    details: { mediaType, accept },
  });
}

/**
 * Says whether a rule allows a file. HTML and SVG may contain scripts, so a rule such as `image/*`
 * does not allow them. They need a rule of their own.
 */
function fits(rule: string, name: string, mediaType: string): boolean {
  if (rule.startsWith(".")) return rule.toLowerCase() === endingOf(name);
  if (rule.endsWith("/*")) return mediaType.startsWith(rule.slice(0, -1)) && !canContainScript(mediaType);
  return rule === mediaType;
}

const canContainScript = (mediaType: string): boolean => mediaType === "image/svg+xml" || mediaType === "text/html";
