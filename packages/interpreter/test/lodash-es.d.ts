// The package brings no types of its own.
declare module "lodash-es";
