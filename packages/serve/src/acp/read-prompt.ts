import type { ContentBlock } from "@agentclientprotocol/sdk";
import { fromBase64 } from "@smolts/protocol";
import { badRequest } from "../refused-request.ts";
import type { TaskPart } from "../served-agent.ts";

/** Reads what a person wrote in the editor. @throws RefusedRequest for bytes that are not base64, or an empty prompt */
export function readPrompt(blocks: readonly ContentBlock[]): readonly TaskPart[] {
  const parts = blocks.map(readBlock);
  if (parts.some((part) => part.type !== "text" || part.text.trim() !== "")) return parts;
  throw badRequest("the prompt is empty");
}

function readBlock(block: ContentBlock): TaskPart {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
    case "audio":
      return { type: block.type, source: { bytes: bytes(block.data), mediaType: block.mimeType } };
    case "resource_link":
      return { type: "text", text: `\n[${block.name}](${block.uri})\n` };
    case "resource": {
      const { resource } = block;
      if ("text" in resource)
        return { type: "text", text: `\n<file path="${resource.uri}">\n${resource.text}\n</file>\n` };
      const mediaType = resource.mimeType ?? "application/octet-stream";
      return { type: "file", source: { bytes: bytes(resource.blob), mediaType }, name: resource.uri.slice(0, 200) };
    }
    default:
      return block satisfies never;
  }
}

function bytes(data: string): Uint8Array {
  const decoded = fromBase64(data);
  if (decoded && decoded.length > 0) return decoded;
  throw badRequest("the data of a part of the prompt is not base64");
}
