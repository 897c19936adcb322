// What the data of workflows adds to the agent.
import type { Group } from '../group.ts';
import type { WorkflowData } from './data.ts';
import { createWorkflowData } from './data.ts';
import { dataHandlers } from './handlers.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly workflowData: WorkflowData;
  }
}

export const group: Group = {
  nouns: {
    workflowData: ({ workflows, datasets, reader, upkeep, home }) =>
      createWorkflowData({ workflows, datasets, reader, upkeep, scratch: home.file('cache', 'scratch') }),
  },
  specified: ({ workflowData }) => ({ data: dataHandlers(workflowData) }),
};
