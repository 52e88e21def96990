// What an agent says of itself to other agents. It has what clients of 1.0 read and, beside it,
// what those of 0.3 read.

/** What the card is made of. */
export interface CardInput {
  readonly name: string;
  readonly description: string;
  /** Where requests are sent. */
  readonly url: string;
  readonly needsKey: boolean;
}

const modes = ["text/plain", "application/json"];

/** The card. */
export function agentCard({ name, description, url, needsKey }: CardInput): object {
  const skill = { id: name, name, description, tags: ["agent"], examples: [], inputModes: modes, outputModes: modes };
  return {
    name,
    description,
    version: "1.0.0",
    supportedInterfaces: [
      { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ],
    protocolVersion: "0.3.0",
    url,
    preferredTransport: "JSONRPC",
    capabilities: { streaming: true, pushNotifications: false },
    defaultInputModes: [...modes, "image/png", "image/jpeg"],
    defaultOutputModes: modes,
    skills: [skill],
    ...(needsKey ? keyScheme : {}),
  };
}

const keyScheme = {
  securitySchemes: {
    key: { httpAuthSecurityScheme: { scheme: "Bearer" }, type: "http", scheme: "bearer" },
  },
  securityRequirements: [{ schemes: { key: { list: [] } } }],
  security: [{ key: [] }],
};
