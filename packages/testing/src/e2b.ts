export { type E2bCreationFailure, type E2bServer, type E2bServerOptions, startE2bServer } from "./e2b-server.ts";
