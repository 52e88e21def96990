// Creates the agent card, which describes an agent to other agents. The card has the fields for
// clients of A2A 1.0 and those for clients of 0.3.

/** The facts that the card contains. */
export interface CardInput {
  readonly name: string;
  readonly description: string;
  /** The address for requests. */
  readonly url: string;
  readonly needsKey: boolean;
}

const modes = ["text/plain", "application/json"];

/** Returns the agent card. */
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
