// Group Personas.
import type { DaemonTable } from '@weft/contract';
import { creation, listHeaders } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import type { Executor } from '../runs/executor.ts';
import type { Personas } from './persona.ts';
import type { TotpReporter } from './totp-report.ts';

/** What the handlers of personas call. */
export interface PersonaNouns {
  readonly personas: Personas;
  readonly executor: Pick<Executor, 'abort'>;
  readonly reportTotp: TotpReporter;
}

export function personaHandlers({ personas, executor, reportTotp }: PersonaNouns): GroupHandlers<DaemonTable['personas']> {
  return {
    list: ({ query }) => {
      const { data, total } = personas.list(query);
      return { status: 200, headers: listHeaders('/v1/personas', query, data.length, total), body: { data, count: data.length } };
    },
    create: creation({
      effect: ({ body }) => personas.create(body),
      answer: (id) => ({ status: 201, body: personas.require(id) }),
    }),
    read: ({ params }) => ({ status: 200, body: personas.require(params.id) }),
    update: ({ params, body }) => {
      personas.update(params.id, body);
      return { status: 200, body: personas.require(params.id) };
    },
    delete: ({ params }) => {
      for (const id of personas.delete(params.id)) executor.abort(id);
      return { status: 204 };
    },
    runs: ({ params, query }) => {
      const { data, total } = personas.runs(params.id, query);
      const headers = listHeaders(`/v1/personas/${params.id}/runs`, query, data.length, total);
      return { status: 200, headers, body: { data, count: data.length } };
    },
    validateTotp: ({ body }) => ({ status: 200, body: reportTotp(body) }),
  };
}
