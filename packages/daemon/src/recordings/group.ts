// What recordings add to the agent.
import { documentTurn } from '@weft/engine';
import type { Group } from '../group.ts';
import { recordingHandlers } from './handlers.ts';
import type { Recordings } from './recording.ts';
import { createRecordings } from './recording.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly recordings: Recordings;
  }
}

export const group: Group = {
  nouns: {
    recordings: ({ sessions, hasScreen = false, screens, personas, workflows, crawlPorts, clock, logError }) =>
      createRecordings({
        sessions,
        hasScreen,
        screens,
        personas,
        createWorkflow: (workflow) => workflows.create(workflow),
        beforeDocument: documentTurn(crawlPorts),
        clock,
        logError,
      }),
  },
  extra: ({ recordings, tickets }) => ({ recordings: recordingHandlers(recordings, tickets) }),
  close: ({ recordings }) => recordings.close(),
};
