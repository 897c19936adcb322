// The session of a workflow's HTTP lane: cookies that stay from run to run (D35).
import type { WorkflowSession } from '@weft/contract';
import type { SessionStore } from '@weft/engine';

/** Sessions by workflow and persona. */
export interface HttpSessions {
  /** The store of one run. */
  of(workflowId: number, personaId: number | undefined): SessionStore;
  /** Never shows a value. */
  describe(workflowId: number, personaId: number | undefined): WorkflowSession;
  /** Of one persona where one is named, else of all. */
  clear(workflowId: number, personaId: number | undefined): void;
}

/** Where cookies can't be sealed they end with their run, and the state says so. */
export const unkeptSessions: HttpSessions = {
  of: () => ({ read: async () => undefined, replace: async () => false }),
  describe: (_workflowId, personaId) => ({
    exists: false,
    lane: 'http',
    kept: false,
    cookies: 0,
    origins: [],
    logged_in: 'unknown',
    ...(personaId === undefined ? {} : { persona_id: personaId }),
  }),
  clear: () => undefined,
};
