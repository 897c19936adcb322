// Sessions of personas: sealed storage state, never a folder of a browser. One is replaced by compare and swap, and only by who proved to be logged in.
import { AppError } from '@weft/contract';
import type { LeftOut } from '@weft/contract';
import { readStorageState } from '@weft/engine';
import type { Clock, StorageState } from '@weft/engine';
import type { Vault } from '../vault/vault.ts';
import type { PersonaStore } from './store.ts';

/** A session that was read; `version` is what its replacement must name. */
export interface KeptProfile {
  readonly version: number;
  /** Epoch milliseconds. */
  readonly updatedMs: number;
  readonly state: StorageState;
}

/** Only a run whose own check said so may say it, and a person who brings a session. */
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
  /** The session that all share; an empty one where none is kept. Throws AppError `vault_locked`. */
  exportShared(personaId: number): StorageState;
  /** Keeps a file of another program as that session; what of it is left out. Throws AppError `vault_locked`, `not_found`. */
  importShared(personaId: number, file: Readonly<Record<string, unknown>>): readonly LeftOut[];
  /** Forgets all sessions of a persona. Throws AppError `vault_locked` where there are any. */
  clear(personaId: number): void;
}

export interface ProfilePorts {
  readonly store: PersonaStore;
  readonly vault: Vault;
  readonly clock: Clock;
}

/** The session that runs, crawls and other programs share. */
export const SHARED = 'browser';
const OWNER = 'persona_profile';

export function createProfiles({ store, vault, clock }: ProfilePorts): Profiles {
  const placeOf = (personaId: number, scope: string) => ({ owner: OWNER, record: String(personaId), field: scope });
  const profiles: Profiles = {
    read(personaId, scope) {
      vault.require();
      const row = store.findProfile(personaId, scope);
      const plain = row && vault.find(placeOf(personaId, scope));
      if (!row || !plain) return undefined;
      const state = JSON.parse(plain.toString()) as StorageState;
      plain.fill(0);
      return { version: row.version, updatedMs: row.updated_at, state };
    },
    replace(personaId, scope, expectedVersion, state, { provenLoggedIn }) {
      if (!provenLoggedIn) return false;
      if (!store.find(personaId)) throw new AppError('not_found', `There is no persona ${personaId}.`);
      return store.replaceProfile(personaId, scope, expectedVersion, clock.now(), () =>
        vault.put(placeOf(personaId, scope), JSON.stringify(state)),
      );
    },
    exportShared: (personaId) => profiles.read(personaId, SHARED)?.state ?? { cookies: [], origins: [] },
    importShared(personaId, file) {
      const { state, leftOut } = readStorageState(file, clock.now());
      const { version = 0 } = profiles.read(personaId, SHARED) ?? {};
      profiles.replace(personaId, SHARED, version, state, { provenLoggedIn: true });
      return leftOut;
    },
    clear: (personaId) => store.deleteProfiles(personaId, () => vault.remove(OWNER, String(personaId))),
  };
  return profiles;
}
