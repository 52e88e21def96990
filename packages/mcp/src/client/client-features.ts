/** The features of this client that servers may use by sending requests to it while they work. */
export interface ClientFeatures {
  /** The folders that servers should work in, as file URLs or paths. */
  readonly roots?: readonly (string | URL)[];
  /**
   * Whether servers may send requests to the agent's model. Each request needs approval.
   *
   * @defaultValue true
   */
  readonly sampling?: boolean;
  /**
   * Whether servers may put questions to the person who makes decisions for the run.
   *
   * @defaultValue true
   */
  readonly elicitation?: boolean;
}
