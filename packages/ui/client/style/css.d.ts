/** A style sheet that the build takes. */
declare module "*.css";
