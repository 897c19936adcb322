// Group Selectors.
import type { DaemonTable, ExtraTable } from '@weft/contract';
import { creation, listHeaders } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import type { Monitors } from '../monitors/monitor.ts';
import type { Prober } from './probe.ts';
import type { Selectors } from './selector.ts';

/** What the handlers of selectors call. */
export interface SelectorNouns {
  readonly selectors: Selectors;
  readonly monitors: Pick<Monitors, 'requireRow'>;
  readonly prober: Prober;
}

export function selectorHandlers({ selectors, monitors, prober }: SelectorNouns): GroupHandlers<DaemonTable['selectors']> {
  return {
    list: ({ params, query }) => {
      monitors.requireRow(params.id);
      const all = selectors.ofMonitor(params.id);
      const { limit = all.length, offset = 0 } = query;
      const body = all.slice(offset, offset + limit);
      return { status: 200, headers: listHeaders(`/v1/monitors/${params.id}/selectors`, query, body.length, all.length), body };
    },
    create: creation({
      effect: ({ params, body }) => {
        monitors.requireRow(params.id);
        return selectors.create(params.id, body);
      },
      answer: (id, { params }) => ({ status: 201, body: selectors.require(params.id, id) }),
    }),
    read: ({ params }) => ({ status: 200, body: selectors.require(params.id, params.selector_id) }),
    update: ({ params, body }) => ({ status: 200, body: selectors.update(params.id, params.selector_id, body) }),
    delete: ({ params }) => {
      selectors.delete(params.id, params.selector_id);
      return { status: 204 };
    },
    toggle: ({ params }) => ({ status: 200, body: selectors.toggle(params.id, params.selector_id) }),
    test: async ({ params, body, actor, signal }) => ({
      status: 200,
      body: await prober.test(params.id, params.selector_id, body, actor.id, signal),
    }),
    setBaseline: async ({ params, actor, signal }) => ({
      status: 200,
      body: await prober.setBaseline(params.id, params.selector_id, actor.id, signal),
    }),
    clearBaseline: ({ params }) => ({ status: 200, body: selectors.setBaseline(params.id, params.selector_id, undefined) }),
  };
}

export function extraSelectorHandlers(selectors: Selectors): GroupHandlers<ExtraTable['selectors']> {
  return {
    accept: ({ params }) => ({ status: 200, body: selectors.acceptProposal(params.id, params.selector_id) }),
    dismiss: ({ params }) => ({ status: 200, body: selectors.dismissProposal(params.id, params.selector_id) }),
  };
}
