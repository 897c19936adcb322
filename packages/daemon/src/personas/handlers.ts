// Group Personas.
import type { DaemonTable, ExtraTable, Persona } from '@weft/contract';
import { creation, listHeaders } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import type { Executor } from '../runs/executor.ts';
import type { LoginTests } from '../workflows/login-test.ts';
import type { Personas } from './persona.ts';
import type { Profiles } from './profile.ts';
import { SHARED } from './profile.ts';
import type { TotpReporter } from './totp-report.ts';

/** What the handlers of personas call. */
export interface PersonaNouns {
  readonly personas: Personas;
  readonly executor: Pick<Executor, 'abort'>;
  readonly reportTotp: TotpReporter;
  readonly loginTests: LoginTests;
}

export function personaHandlers({ personas, executor, reportTotp, loginTests }: PersonaNouns): GroupHandlers<DaemonTable['personas']> {
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
    test2fa: async ({ params, body, signal, actor }) => {
      personas.require(params.id);
      return { status: 200, body: await loginTests.run(params.id, body, actor, signal) };
    },
    validateTotp: ({ body }) => ({ status: 200, body: reportTotp(body) }),
  };
}

/** What the handlers beyond the specification call. */
export interface ExtraPersonaNouns {
  readonly personas: Personas;
  readonly profiles: Profiles;
}

export function extraPersonaHandlers({ personas, profiles }: ExtraPersonaNouns): GroupHandlers<ExtraTable['personas']> {
  return {
    exportStorageState: ({ params }) => {
      personas.require(params.id);
      const { cookies, origins } = profiles.exportShared(params.id);
      return {
        status: 200,
        body: { cookies: cookies.map((cookie) => ({ ...cookie })), origins: origins.map((origin) => ({ ...origin })) },
      };
    },
    importStorageState: ({ params, body }) => {
      personas.require(params.id);
      const left_out = [...profiles.importShared(params.id, body)];
      return { status: 200, body: { session: sharedOf(personas.require(params.id)), left_out } };
    },
  };
}

function sharedOf({ id, sessions }: Persona): Persona['sessions'][number] {
  const session = sessions.find(({ scope }) => scope === SHARED);
  if (!session) throw new Error(`The session of persona ${id} was not kept.`);
  return session;
}
