/** A style sheet that a module imports. The build collects them. */
declare module "*.css";
