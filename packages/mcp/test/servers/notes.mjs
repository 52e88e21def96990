// A stdio server for notes, built with the official SDK. It behaves correctly.

import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const notes = new Map();

serveStdio(() => {
  const server = new McpServer({ name: "notes", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.registerTool(
    "add-note",
    { description: "Writes a note.", inputSchema: z.object({ title: z.string(), text: z.string() }) },
    ({ title, text }) => {
      notes.set(title, text);
      return { content: [{ type: "text", text: `wrote ${title}` }] };
    },
  );
  server.registerTool(
    "count-notes",
    {
      description: "Counts the notes.",
      inputSchema: z.object({}),
      outputSchema: z.object({ count: z.number() }),
      annotations: { readOnlyHint: true },
    },
    () => ({ content: [{ type: "text", text: `${notes.size}` }], structuredContent: { count: notes.size } }),
  );
  return server;
});
