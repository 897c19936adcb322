// Group Automations.
import type { DaemonTable } from '@weft/contract';
import { isSettled } from '@weft/contract';
import { creation, listHeaders } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import { answerDispatched } from '../runs/answer.ts';
import type { Executor } from '../runs/executor.ts';
import type { Runs } from '../runs/run.ts';
import type { Automations } from './automation.ts';

/** What the handlers of automations call. */
export interface AutomationNouns {
  readonly automations: Automations;
  readonly runs: Runs;
  readonly executor: Executor;
}

export function automationHandlers({ automations, runs, executor }: AutomationNouns): GroupHandlers<DaemonTable['automations']> {
  return {
    list: ({ query }) => {
      const { data, total } = automations.list(query);
      return { status: 200, headers: listHeaders('/v1/automations', query, data.length, total), body: data };
    },
    create: creation({
      effect: ({ body }) => automations.create(body).id,
      answer: (id) => ({ status: 201, body: automations.require(id) }),
    }),
    read: ({ params }) => ({ status: 200, body: automations.require(params.id) }),
    update: ({ params, body }) => ({ status: 200, body: automations.update(params.id, body) }),
    delete: ({ params }) => {
      for (const id of automations.delete(params.id)) executor.abort(id);
      return { status: 204 };
    },
    enable: ({ params, body }) => ({ status: 200, body: automations.enable(params.id, body.enabled) }),
    run: creation({
      effect: ({ params, body, actor }) => automations.run(params.id, body.payload, actor),
      answer: async (id, { query, signal }) => {
        const status = await answerDispatched(id, query, { runs, executor }, signal);
        const run = runs.require(id);
        return { status: isSettled(run.status) ? 200 : status, body: run };
      },
    }),
  };
}
