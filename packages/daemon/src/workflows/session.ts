// Sessions of workflows: cookies and storage that stay from run to run, sealed, one for each workflow and persona (D35).
import { randomBytes } from 'node:crypto';
import type { WorkflowSession } from '@weft/contract';
import type { Clock, KnownLogins, SessionStore, StorageState } from '@weft/engine';
import { NO_LOGINS, mergeSession } from '@weft/engine';
import { toInstant } from '@weft/serve';
import { SHARED } from '../personas/profile.ts';
import type { KeptProfile, Profiles } from '../personas/profile.ts';
import type { Vault } from '../vault/vault.ts';

/** Sessions by workflow and persona. */
export interface HttpSessions {
  /** The store of one run. */
  of(workflowId: number, personaId: number | undefined): SessionStore;
  /** Never shows a value. */
  describe(workflowId: number, personaId: number | undefined): WorkflowSession;
  /**
   * Of one persona where one is named, else of all; with it goes the session that a persona shares with other workflows, since the next run
   * would find that. Throws AppError `vault_locked` where there is any.
   */
  clear(workflowId: number, personaId: number | undefined): void;
  /** That of a workflow that is deleted; its personas stay logged in. Throws AppError `vault_locked` where there is any. */
  forget(workflowId: number): void;
  /** Of all workflows. Throws AppError `vault_locked` where there is any. */
  clearOfPersona(personaId: number): void;
}

/** What is sealed; what is known of logins is absent in what was kept before there was any. */
interface KeptSession extends Partial<KnownLogins> {
  /** Another one with each change: who replaces a session names the one that was read. */
  readonly version: string;
  readonly createdMs: number;
  readonly provenMs: number;
  readonly state: StorageState;
}

export interface HttpSessionPorts {
  readonly vault: Pick<Vault, 'put' | 'find' | 'fieldsOf' | 'recordsOf' | 'remove' | 'status'>;
  readonly profiles: Pick<Profiles, 'read' | 'replace' | 'clear'>;
  readonly clock: Clock;
}

const OWNER = 'workflow_session';
/** The record of runs that act as no persona; personas count from 1. */
const NO_PERSONA = 0;

export function createHttpSessions({ vault, profiles, clock }: HttpSessionPorts): HttpSessions {
  const placeOf = (workflowId: number, personaId = NO_PERSONA) => ({
    owner: OWNER,
    record: String(personaId),
    field: String(workflowId),
  });
  const isLocked = () => vault.status().locked;
  const find = (workflowId: number, personaId: number | undefined): KeptSession | undefined => {
    const plain = vault.find(placeOf(workflowId, personaId));
    if (!plain) return undefined;
    // Written by `replace` alone.
    const kept = JSON.parse(plain.toString()) as KeptSession;
    plain.fill(0);
    return kept;
  };
  const clearIn = (record: string, workflowId: number) =>
    vault.remove(
      OWNER,
      record,
      vault.fieldsOf(OWNER, record).filter((field) => field === String(workflowId)),
    );
  /** The personas of its sessions. */
  const recordsOf = (workflowId: number) =>
    vault.recordsOf(OWNER).filter((record) => vault.fieldsOf(OWNER, record).includes(String(workflowId)));
  return {
    of(workflowId, personaId) {
      const place = placeOf(workflowId, personaId);
      const readShared = () => (personaId === undefined ? undefined : profiles.read(personaId, SHARED));
      let version: string | undefined;
      let sharedMark = '';
      let logins = NO_LOGINS;
      const readNewer = async () => {
        if (isLocked()) return undefined;
        const own = has(vault, place) ? find(workflowId, personaId) : undefined;
        const shared = readShared();
        const newOwn = own && own.version !== version ? own : undefined;
        const newShared = markOf(shared) === sharedMark ? undefined : shared;
        version = own?.version;
        sharedMark = markOf(shared);
        const isOwn = newOwn && newOwn.provenMs >= (newShared?.updatedMs ?? 0);
        // What is known of a login of this workflow does not depend on whose session shows it.
        logins = { landings: own?.landings ?? logins.landings, scripted: own?.scripted ?? logins.scripted };
        return isOwn ? newOwn.state : newShared?.state;
      };
      return {
        read: readNewer,
        readNewer,
        logins: () => logins,
        async replace(state, known) {
          if (isLocked()) return 'locked';
          const before = has(vault, place) ? find(workflowId, personaId) : undefined;
          if (before?.version !== version) return 'behind';
          const nowMs = clock.now();
          const kept = {
            version: randomBytes(8).toString('hex'),
            createdMs: before?.createdMs ?? nowMs,
            provenMs: nowMs,
            state,
            ...known,
          };
          logins = known;
          vault.put(place, JSON.stringify(kept));
          ({ version } = kept);
          const shared = readShared();
          if (personaId === undefined || markOf(shared) !== sharedMark) return 'kept';
          const merged = mergeSession(shared?.state, state);
          profiles.replace(personaId, SHARED, shared?.version ?? 0, merged, { provenLoggedIn: true });
          sharedMark = markOf(readShared());
          return 'kept';
        },
      };
    },
    describe(workflowId, personaId) {
      const exists = has(vault, placeOf(workflowId, personaId));
      const kept = exists && !isLocked() ? find(workflowId, personaId) : undefined;
      return {
        exists,
        lane: 'http',
        kept: !isLocked(),
        logged_in: 'unknown',
        ...(personaId === undefined ? {} : { persona_id: personaId }),
        ...(exists && !kept ? {} : { cookies: kept?.state.cookies.length ?? 0, origins: kept ? originsOf(kept.state) : [] }),
        ...(kept ? { logged_in: true, created_at: toInstant(kept.createdMs), last_used_at: toInstant(kept.provenMs) } : {}),
      };
    },
    clear(workflowId, personaId) {
      const records = personaId === undefined ? recordsOf(workflowId) : [String(personaId)];
      for (const record of records) {
        clearIn(record, workflowId);
        if (record !== String(NO_PERSONA)) profiles.clear(Number(record));
      }
    },
    forget(workflowId) {
      for (const record of recordsOf(workflowId)) clearIn(record, workflowId);
    },
    clearOfPersona: (personaId) => vault.remove(OWNER, String(personaId)),
  };
}

/** Tells one from another that has its number, since numbers begin anew where one was cleared. */
function markOf(profile: KeptProfile | undefined): string {
  return profile ? `${profile.version} ${profile.updatedMs}` : '';
}

function has(vault: Pick<Vault, 'fieldsOf'>, { owner, record, field }: { owner: string; record: string; field: string }): boolean {
  return vault.fieldsOf(owner, record).includes(field);
}

/** Where its cookies go, and whose storage it has. */
function originsOf({ cookies, origins }: StorageState): string[] {
  const ofCookies = cookies.map(({ domain, secure }) => `${secure ? 'https' : 'http'}://${domain.replace(/^\./, '')}`);
  return [...new Set([...origins.map(({ origin }) => origin), ...ofCookies])].toSorted();
}
