export { docker, type DockerMount, type DockerOptions } from "./docker.ts";
/** @internal */
export { DockerExecutor } from "./other-names.ts";
