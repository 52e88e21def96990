// Reads the content of OpenAI's requests: a text, or the parts of Chat Completions and Responses.

import { fromBase64, isRecord } from "@smolts/protocol";
import { badRequest, unsupported } from "../refused-request.ts";
import type { TaskPart } from "../served-agent.ts";

/** An object from a request. Its fields have not been checked yet. */
export type Fields = { readonly [name: string]: unknown };

/** Reads content. @throws RefusedRequest that names the wrong part */
export function readContent(content: unknown, where: string): readonly TaskPart[] {
  if (content === null || content === undefined) return [];
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (!Array.isArray(content)) throw badRequest(`${where} is neither a string nor a list of parts`, where);
  return content.map((part: unknown, index) => readPart(part, `${where}[${index}]`));
}

/** Reads the text of content. @throws RefusedRequest for media */
export function readText(content: unknown, where: string): string {
  return readContent(content, where)
    .map((part) => {
      if (part.type === "text") return part.text;
      throw unsupported(`${where} contains media; only text is supported here`, where);
    })
    .join("");
}

function readPart(part: unknown, where: string): TaskPart {
  if (!isRecord(part)) throw badRequest(`${where} is not an object`, where);
  const { type } = part;
  switch (type) {
    case "text":
    case "input_text":
    case "output_text":
      return { type: "text", text: text(part["text"], `${where}.text`) };
    case "refusal":
      return { type: "text", text: text(part["refusal"], `${where}.refusal`) };
    case "image_url":
      return image(isRecord(part["image_url"]) ? part["image_url"]["url"] : part["image_url"], `${where}.image_url`);
    case "input_image":
      return image(part["image_url"], `${where}.image_url`);
    case "input_audio":
      return audio(part["input_audio"], `${where}.input_audio`);
    case "file":
      return file(part["file"], `${where}.file`);
    case "input_file":
      return file(part, where);
    default:
      throw unsupported(`${where}.type is ${JSON.stringify(type)}, which is not supported here`, `${where}.type`);
  }
}

/**
 * Reads an image. Accepts only web addresses and bytes, because a path would make the server read
 * its own files.
 */
function image(given: unknown, where: string): TaskPart {
  const url = text(given, where);
  if (/^data:/i.test(url)) return { type: "image", source: dataUrl(url, where) };
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return { type: "image", source: { url } };
  throw badRequest(`${where} is neither an https: address nor a data: URL`, where);
}

function audio(given: unknown, where: string): TaskPart {
  const { data, format } = isRecord(given) ? given : {};
  const mediaType = format === "mp3" ? "audio/mpeg" : `audio/${text(format, `${where}.format`)}`;
  return { type: "audio", source: { bytes: bytes(text(data, `${where}.data`), where), mediaType } };
}

function file(given: unknown, where: string): TaskPart {
  const { file_data: data, filename } = isRecord(given) ? given : {};
  if (typeof data !== "string")
    throw unsupported(`${where} has no file_data; files cannot be named by an id here`, where);
  const name = typeof filename === "string" ? { name: filename.slice(0, 200) } : {};
  const source = /^data:/i.test(data)
    ? dataUrl(data, where)
    : { bytes: bytes(data, where), mediaType: "application/octet-stream" };
  return { type: "file", source, ...name };
}

function dataUrl(url: string, where: string): { readonly bytes: Uint8Array; readonly mediaType: string } {
  const [head = "", data] = url.split(",", 2);
  const [, mediaType] = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=.-]+)*;base64$/i.exec(head) ?? [];
  if (mediaType === undefined || data === undefined) {
    throw badRequest(`${where} is not a data: URL with a media type and base64`, where);
  }
  return { bytes: bytes(data, where), mediaType: mediaType.toLowerCase() };
}

function bytes(data: string, where: string): Uint8Array {
  const decoded = fromBase64(data);
  if (decoded && decoded.length > 0) return decoded;
  throw badRequest(`${where} is not base64`, where);
}

function text(given: unknown, where: string): string {
  if (typeof given === "string") return given;
  throw badRequest(`${where} is not a string`, where);
}
