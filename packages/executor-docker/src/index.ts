export { docker, type DockerMount, type DockerOptions } from "./docker.ts";
