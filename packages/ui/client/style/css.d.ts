/** A style sheet that a module imports. The build collects all style sheets. */
declare module "*.css";
