// The package contains no types.
declare module "lodash-es";
