// Sessions of personas: sealed storage state, never a folder of a browser. One is replaced by compare and swap, and only by who proved to be logged in.
import { AppError } from '@weft/contract';
import type { Clock } from '@weft/engine';
import type { Vault } from '../vault/vault.ts';
import type { PersonaStore } from './store.ts';

/** What a browser keeps for sites: cookies, and for each origin its local storage and IndexedDB, as Playwright's storage state writes them. */
export interface StorageState {
  readonly cookies: readonly object[];
  readonly origins: readonly object[];
}

/** A session that was read; `version` is what its replacement must name. */
export interface KeptProfile {
  readonly version: number;
  readonly state: StorageState;
}

/** Only a run whose own check said so may say it. */
export interface LoginProof {
  readonly provenLoggedIn: true;
}

export interface Profiles {
  /** The session of a persona in a scope, such as `browser`; undefined where none is kept. Throws AppError `vault_locked`. */
  read(personaId: number, scope: string): KeptProfile | undefined;
  /**
   * Replaces the session that was read as `expectedVersion`, 0 for none. False where another run replaced it meanwhile: read it again.
   * Throws AppError `vault_locked`, `not_found` where the persona is gone.
   */
  replace(personaId: number, scope: string, expectedVersion: number, state: StorageState, proof: LoginProof): boolean;
}

export interface ProfilePorts {
  readonly store: PersonaStore;
  readonly vault: Vault;
  readonly clock: Clock;
}

export const PROFILE_OWNER = 'persona_profile';

export function createProfiles({ store, vault, clock }: ProfilePorts): Profiles {
  const placeOf = (personaId: number, scope: string) => ({ owner: PROFILE_OWNER, record: String(personaId), field: scope });
  return {
    read(personaId, scope) {
      vault.require();
      const row = store.findProfile(personaId, scope);
      const plain = row && vault.find(placeOf(personaId, scope));
      if (!row || !plain) return undefined;
      const state = JSON.parse(plain.toString()) as StorageState;
      plain.fill(0);
      return { version: row.version, state };
    },
    replace(personaId, scope, expectedVersion, state, { provenLoggedIn }) {
      if (!provenLoggedIn) return false;
      if (!store.find(personaId)) throw new AppError('not_found', `There is no persona ${personaId}.`);
      return store.replaceProfile(personaId, scope, expectedVersion, clock.now(), () =>
        vault.put(placeOf(personaId, scope), JSON.stringify(state)),
      );
    },
  };
}
