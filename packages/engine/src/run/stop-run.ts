// Ends a run from inside of its steps.

/** A step said that the run is over. */
export class StopRun extends Error {
  readonly status: 'succeeded' | 'failed';
  readonly stepId: string;

  constructor(status: 'succeeded' | 'failed', stepId: string, reason: string) {
    super(reason);
    this.name = 'StopRun';
    this.status = status;
    this.stepId = stepId;
  }
}
