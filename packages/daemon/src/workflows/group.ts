// What workflows add to the agent: what is kept of them, who acts for their runs, and how these go.
import type { Group, Nouns } from '../group.ts';
import { exchangeHandlers } from './exchange.ts';
import { extraWorkflowHandlers, workflowHandlers } from './handlers.ts';
import { createWorkflowCandidates } from './candidates.ts';
import type { WorkflowCandidates } from './candidates.ts';
import type { WorkflowGuards } from './guards.ts';
import { createWorkflowGuards } from './guards.ts';
import { LastPages } from './last-pages.ts';
import type { HttpSessions } from './session.ts';
import { createHttpSessions } from './session.ts';
import { createLoginTests } from './login-test.ts';
import type { LoginTests } from './login-test.ts';
import { createWorkflowRepairs } from './repairs.ts';
import type { WorkflowRepairs } from './repairs.ts';
import { createRevisions } from './revisions.ts';
import type { WorkflowStore } from './store.ts';
import { createWorkflowStore } from './store.ts';
import type { WorkflowWorkPorts } from './work.ts';
import { workflowWork } from './work.ts';
import type { Workflows } from './workflow.ts';
import { createWorkflows } from './workflow.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly workflowStore: WorkflowStore;
    readonly workflows: Workflows;
    readonly workflowGuards: WorkflowGuards;
    readonly workflowCandidates: WorkflowCandidates;
    readonly workflowRepairs: WorkflowRepairs;
    readonly httpSessions: HttpSessions;
    readonly loginTests: LoginTests;
    readonly lastPages: LastPages;
  }
}

export const group: Group = {
  nouns: {
    workflowStore: ({ database }) => createWorkflowStore(database),
    workflows: (nouns) => {
      const { workflowStore: store, records: datasets, runs, clock, vault, httpSessions: sessions, hasScreen = false } = nouns;
      const deleted = (id: number) => nouns.automations.disableNaming('workflow', id);
      return createWorkflows({ store, datasets, runs, clock, vault, sessions, deleted, hasScreen });
    },
    workflowGuards: ({ database }) => createWorkflowGuards(database),
    workflowCandidates: ({ database }) => createWorkflowCandidates(database),
    workflowRepairs: ({ database }) => createWorkflowRepairs(database),
    httpSessions: ({ vault, profiles, clock }) => createHttpSessions({ vault, profiles, clock }),
    lastPages: () => new LastPages(),
    loginTests: (nouns) => createLoginTests({ ...workPorts(nouns), vault: nouns.vault }),
  },
  specified: (nouns) => ({ workflows: workflowHandlers(nouns) }),
  extra: (nouns) => ({
    workflows: {
      ...extraWorkflowHandlers({
        workflows: nouns.workflows,
        revisions: createRevisions(nouns.workflowStore),
        guards: nouns.workflowGuards,
        candidates: nouns.workflowCandidates,
        repairs: nouns.workflowRepairs,
        files: nouns.files,
        datasets: nouns.datasets,
        runs: nouns.runs,
        executor: nouns.executor,
        results: nouns.runResults,
      }),
      ...exchangeHandlers({ workflows: nouns.workflows }),
    },
  }),
  kinds: (nouns) => ({
    workflow: {
      work: workflowWork(workPorts(nouns)),
      resumes: false,
      queues: ['workflow'],
      results: ({ id }) => JSON.parse(nouns.workflowStore.findRun(id)?.results ?? '{}'),
    },
  }),
};

/** The executor is made of the kinds of runs, and so asked for later. */
function workPorts(nouns: Nouns): WorkflowWorkPorts {
  const { database, workflows, runs, records, files, views, clock, people, sessions: browserSessions, secrets, personas, screens } = nouns;
  const shared = { database, workflows, runs, records, files, views, clock, people, browserSessions, secrets, personas, screens };
  return {
    ...shared,
    store: nouns.workflowStore,
    asking: nouns.crawlPorts,
    guards: nouns.workflowGuards,
    candidates: nouns.workflowCandidates,
    repairs: nouns.workflowRepairs,
    sessions: nouns.httpSessions,
    lastPages: nouns.lastPages,
    model: nouns.model,
    executor: () => nouns.executor,
  };
}
