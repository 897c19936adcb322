// Group Workflows.
import type { DaemonTable, ExtraTable } from '@weft/contract';
import { creation, listHeaders } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import { answerDispatched } from '../runs/answer.ts';
import { cancelRun } from '../runs/cancel.ts';
import type { Executor } from '../runs/executor.ts';
import type { Runs } from '../runs/run.ts';
import { dispatchBulk, readBulkRows } from './bulk.ts';
import type { BulkPorts } from './bulk.ts';
import { withStep } from './repairs.ts';
import type { WorkflowRepairs } from './repairs.ts';
import type { Revisions } from './revisions.ts';
import type { WorkflowCandidates } from './candidates.ts';
import type { WorkflowGuards } from './guards.ts';
import type { HttpSessions } from './session.ts';
import { answerCall } from './call-function.ts';
import type { FunctionCallPorts } from './call-function.ts';
import { runActor } from './workflow-runs.ts';
import type { Workflows } from './workflow.ts';

/** What the handlers of workflows call. */
export interface WorkflowNouns {
  readonly workflows: Workflows;
  readonly httpSessions: HttpSessions;
  readonly runs: Runs;
  readonly executor: Executor;
}

export function workflowHandlers({ workflows, httpSessions, runs, executor }: WorkflowNouns): GroupHandlers<DaemonTable['workflows']> {
  return {
    list: ({ query }) => {
      const { data, total } = workflows.list(query);
      return { status: 200, headers: listHeaders('/v1/workflows', query, data.length, total), body: { data, count: data.length } };
    },
    create: creation({
      effect: ({ body }) => workflows.create(body).id,
      answer: (id) => ({ status: 201, body: workflows.require(String(id)) }),
    }),
    read: ({ params }) => ({ status: 200, body: workflows.require(String(params.id)) }),
    update: ({ params, body }) => ({ status: 200, body: workflows.update(params.id, body) }),
    delete: ({ params }) => {
      for (const id of workflows.delete(params.id)) executor.abort(id);
      return { status: 204 };
    },
    run: creation({
      effect: ({ params, body, actor }) =>
        workflows.run(String(params.id), { inputs: body.inputs ?? {}, isHeaded: body.headed }, runActor(actor)),
      answer: async (id, { query, signal }) => ({
        status: await answerDispatched(id, query, { runs, executor }, signal),
        body: runs.require(id),
      }),
    }),
    cancel: ({ params, actor }) => {
      const { isCancelled, run } = cancelRun(workflows.newestRun(params.id, actor), { runs, executor });
      return { status: isCancelled ? 200 : 409, body: run };
    },
    session: ({ params, query }) => {
      workflows.require(String(params.id));
      return { status: 200, body: httpSessions.describe(params.id, query.persona_id) };
    },
    clearSession: ({ params, query }) => {
      workflows.require(String(params.id));
      httpSessions.clear(params.id, query.persona_id);
      return { status: 204 };
    },
  };
}

/** What the handlers beyond the specification call. */
export interface ExtraWorkflowNouns extends BulkPorts, Pick<FunctionCallPorts, 'results'> {
  readonly guards: WorkflowGuards;
  readonly candidates: WorkflowCandidates;
  readonly repairs: WorkflowRepairs;
  readonly revisions: Revisions;
  readonly runs: Runs;
  readonly executor: Executor;
}

export function extraWorkflowHandlers(nouns: ExtraWorkflowNouns): GroupHandlers<Omit<ExtraTable['workflows'], 'import' | 'export'>> {
  const { workflows, revisions, guards, candidates, repairs, runs, executor } = nouns;
  return {
    call: creation({
      effect: ({ params, body, actor }) => workflows.run(params.slug, { inputs: body ?? {} }, runActor(actor)),
      answer: async (id, { signal }) => ({ status: 200, body: await answerCall(id, nouns, signal) }),
    }),
    revisions: ({ params }) => {
      workflows.require(String(params.id));
      const data = revisions.list(params.id);
      return { status: 200, body: { data, count: data.length } };
    },
    readRevision: ({ params }) => ({ status: 200, body: revisions.require(params.id, params.revision) }),
    compareRevisions: ({ params, query }) => ({ status: 200, body: revisions.compare(params.id, query.from, query.to) }),
    restoreRevision: ({ params }) => {
      const { definition, name } = revisions.require(params.id, params.revision);
      return { status: 200, body: workflows.restore(params.id, definition, name) };
    },
    guards: ({ params }) => {
      const { revision } = workflows.require(String(params.id));
      const data = guards.list(params.id, revision);
      return { status: 200, body: { data, count: data.length } };
    },
    candidate: ({ params }) => {
      const { revision } = workflows.require(String(params.id));
      return { status: 200, body: candidates.describe(params.id, revision) };
    },
    repairs: ({ params }) => {
      const { revision } = workflows.require(String(params.id));
      const data = repairs.list(params.id, revision);
      return { status: 200, body: { data, count: data.length } };
    },
    acceptRepair: ({ params }) => {
      const { revision, steps, finally: last } = workflows.require(String(params.id));
      const { step } = repairs.require(params.id, revision, params.step);
      const changed = { steps: withStep(steps, step), ...(last ? { finally: withStep(last, step) } : {}) };
      const workflow = workflows.update(params.id, { revision, ...changed });
      repairs.accepted(params.id, params.step, workflow.revision);
      return { status: 200, body: workflow };
    },
    dismissRepair: ({ params }) => {
      const { revision } = workflows.require(String(params.id));
      repairs.require(params.id, revision, params.step);
      repairs.drop(params.id, params.step);
      return { status: 204 };
    },
    forgetGuards: ({ params }) => {
      workflows.require(String(params.id));
      guards.forget(params.id);
      candidates.forget(params.id);
      return { status: 204 };
    },
    copy: creation({
      effect: ({ params, body }) => workflows.copy(params.id, body).id,
      answer: (id) => ({ status: 201, body: workflows.require(String(id)) }),
    }),
    dryRun: creation({
      effect: ({ params, body, actor }) => {
        const { until, pins = {}, inputs = {}, headed: isHeaded } = body;
        return workflows.run(String(params.id), { inputs, isHeaded, dry: { until, pins } }, runActor(actor));
      },
      answer: (id) => {
        executor.wake();
        return { status: 202, body: runs.require(id) };
      },
    }),
    bulk: creation({
      prepare: ({ body }) => readBulkRows(body, nouns),
      effect: ({ params, body, actor }, rows) => dispatchBulk(String(params.id), rows, body.map, { workflows, runs }, runActor(actor)),
      answer: (made) => {
        executor.wake();
        return { status: 202, body: made };
      },
    }),
  };
}
