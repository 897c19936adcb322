// Group Extractors.
import type { DaemonTable } from '@weft/contract';
import { creation, listHeaders } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import type { Prober } from '../selectors/probe.ts';
import type { Extractors } from './extractor.ts';

/** What the handlers of extractors call. */
export interface ExtractorNouns {
  readonly extractors: Extractors;
  readonly prober: Prober;
}

export function extractorHandlers({ extractors, prober }: ExtractorNouns): GroupHandlers<DaemonTable['extractors']> {
  return {
    list: ({ params, query }) => {
      const all = extractors.list(params.selector_id);
      const { limit = all.length, offset = 0 } = query;
      const body = all.slice(offset, offset + limit);
      const path = `/v1/selectors/${params.selector_id}/extractors`;
      return { status: 200, headers: listHeaders(path, query, body.length, all.length), body };
    },
    create: creation({
      effect: ({ body }) => extractors.create(body),
      answer: (id) => ({ status: 201, body: extractors.require(id) }),
    }),
    read: ({ params }) => ({ status: 200, body: extractors.require(params.extractor_id) }),
    update: ({ params, body }) => ({ status: 200, body: extractors.update(params.extractor_id, body) }),
    delete: ({ params }) => {
      extractors.delete(params.extractor_id);
      return { status: 204 };
    },
    toggle: ({ params }) => ({ status: 200, body: extractors.toggle(params.extractor_id) }),
    test: async ({ params, actor, signal }) => ({
      status: 200,
      body: await prober.testExtractor(params.extractor_id, actor.id, signal),
    }),
  };
}
