// Where a run was, step by step.

/** Where a run was when a step of the workflow itself began. */
export interface TracedStep {
  readonly id: string;
  /** Undefined before the first page, and for an address that holds what is sent in secret. */
  readonly url: string | undefined;
  /** Requests until then that may change something at the far end (RFC 9110, 9.2.1: all but GET, HEAD, OPTIONS and TRACE). */
  readonly writes: number;
}
