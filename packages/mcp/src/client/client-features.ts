/** The client features that servers may use: requests that they send while they work. */
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
   * Whether servers may ask questions to the person who decides for the run.
   *
   * @defaultValue true
   */
  readonly elicitation?: boolean;
}
