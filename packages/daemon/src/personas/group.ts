// What personas add to the agent.
import type { Group } from '../group.ts';
import { extraPersonaHandlers, personaHandlers } from './handlers.ts';
import type { Personas } from './persona.ts';
import { createPersonas } from './persona.ts';
import type { Profiles } from './profile.ts';
import { createProfiles } from './profile.ts';
import type { PersonaStore } from './store.ts';
import { createPersonaStore } from './store.ts';
import { createTotpReporter } from './totp-report.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly personaStore: PersonaStore;
    readonly personas: Personas;
    readonly profiles: Profiles;
  }
}

export const group: Group = {
  nouns: {
    personaStore: ({ database }) => createPersonaStore(database),
    personas: ({ personaStore: store, vault, runs, clock, profiles, httpSessions: sessions }) =>
      createPersonas({ store, vault, runs, clock, profiles, sessions }),
    profiles: ({ personaStore: store, vault, clock }) => createProfiles({ store, vault, clock }),
  },
  specified: ({ personas, executor, clock, loginTests }) => ({
    personas: personaHandlers({ personas, executor, reportTotp: createTotpReporter(clock), loginTests }),
  }),
  extra: ({ personas, profiles }) => ({ personas: extraPersonaHandlers({ personas, profiles }) }),
};
