// Rows of personas and of the sessions that are kept for them: what may be told. Their values are in the vault.
import type { TwoFactor } from '@weft/contract';
import type { Database } from '../db/open.ts';
import { durably } from '../db/open.ts';
import { allRows } from '../db/rows.ts';

export interface PersonaRow {
  readonly id: number;
  readonly name: string;
  /** JSON of a list. */
  readonly origins: string;
  readonly locale: string | null;
  readonly two_factor: TwoFactor;
  readonly proxy: string | null;
  /** The period of the last TOTP code that was sent. */
  readonly totp_counter: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly last_used_at: number | null;
}

export type PersonaChange = Pick<PersonaRow, 'name' | 'origins' | 'locale' | 'two_factor' | 'proxy' | 'updated_at'>;

export interface ProfileRow {
  readonly scope: string;
  readonly version: number;
  readonly updated_at: number;
}

/** Every change is durable but that of the last use. */
export interface PersonaStore {
  /** `also` runs in the same transaction. */
  insert(row: PersonaChange & Pick<PersonaRow, 'created_at'>, also: (id: number) => void): number;
  find(id: number): PersonaRow | undefined;
  /** Newest first. */
  list(limit: number, offset: number): readonly PersonaRow[];
  count(): number;
  update(id: number, change: PersonaChange, also: () => void): void;
  /** Deletes the row with its sessions. */
  delete(id: number, also: () => void): void;
  /** Notes that a code was sent; false where one of this period, or a later one, was sent before. */
  spendCounter(id: number, counter: number, atMs: number): boolean;
  touch(id: number, atMs: number): void;
  profilesOf(id: number): readonly ProfileRow[];
  findProfile(id: number, scope: string): ProfileRow | undefined;
  /** Compares and swaps: true where `expected` was the version, 0 for none; the next one is it now. `also` runs in the same transaction. */
  replaceProfile(id: number, scope: string, expected: number, atMs: number, also: () => void): boolean;
  /** `also` runs in the same transaction. */
  deleteProfiles(id: number, also: () => void): void;
}

export function createPersonaStore(database: Database): PersonaStore {
  return { ...createPersonaRows(database), ...createProfileRows(database) };
}

type ProfileVerbs = 'profilesOf' | 'findProfile' | 'replaceProfile' | 'deleteProfiles';

function createPersonaRows({ fast }: Database): Omit<PersonaStore, ProfileVerbs> {
  const insert = fast.prepare(
    'INSERT INTO persona (name, origins, locale, two_factor, proxy, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const find = fast.prepare('SELECT * FROM persona WHERE id = ?');
  const list = fast.prepare('SELECT * FROM persona ORDER BY id DESC LIMIT ? OFFSET ?');
  const count = fast.prepare('SELECT count(*) AS n FROM persona');
  const update = fast.prepare(
    'UPDATE persona SET name = ?, origins = ?, locale = ?, two_factor = ?, proxy = ?, updated_at = ? WHERE id = ?',
  );
  const remove = fast.prepare('DELETE FROM persona WHERE id = ?');
  const spend = fast.prepare('UPDATE persona SET totp_counter = ?, last_used_at = ? WHERE id = ? AND ifnull(totp_counter, -1) < ?');
  const touch = fast.prepare('UPDATE persona SET last_used_at = ? WHERE id = ?');
  return {
    insert: (row, also) =>
      durably(fast, () => {
        const values = [row.name, row.origins, row.locale, row.two_factor, row.proxy, row.created_at, row.updated_at];
        const id = Number(insert.run(...values).lastInsertRowid);
        also(id);
        return id;
      }),
    find: (id) => find.get(id) as PersonaRow | undefined,
    list: (limit, offset) => allRows<PersonaRow>(list, limit, offset),
    count: () => (count.get() as { n: number }).n,
    update: (id, change, also) =>
      durably(fast, () => {
        update.run(change.name, change.origins, change.locale, change.two_factor, change.proxy, change.updated_at, id);
        also();
      }),
    delete: (id, also) =>
      durably(fast, () => {
        also();
        remove.run(id);
      }),
    spendCounter: (id, counter, atMs) => durably(fast, () => spend.run(counter, atMs, id, counter).changes === 1),
    touch: (id, atMs) => void touch.run(atMs, id),
  };
}

function createProfileRows({ fast }: Database): Pick<PersonaStore, ProfileVerbs> {
  const ofPersona = fast.prepare('SELECT scope, version, updated_at FROM persona_profile WHERE persona_id = ? ORDER BY scope');
  const find = fast.prepare('SELECT scope, version, updated_at FROM persona_profile WHERE persona_id = ? AND scope = ?');
  const insert = fast.prepare(
    'INSERT INTO persona_profile (persona_id, scope, version, updated_at) VALUES (?, ?, 1, ?) ON CONFLICT DO NOTHING',
  );
  const swap = fast.prepare(
    'UPDATE persona_profile SET version = version + 1, updated_at = ? WHERE persona_id = ? AND scope = ? AND version = ?',
  );
  const remove = fast.prepare('DELETE FROM persona_profile WHERE persona_id = ?');
  return {
    profilesOf: (id) => allRows<ProfileRow>(ofPersona, id),
    findProfile: (id, scope) => find.get(id, scope) as ProfileRow | undefined,
    replaceProfile: (id, scope, expected, atMs, also) =>
      durably(fast, () => {
        const { changes } = expected === 0 ? insert.run(id, scope, atMs) : swap.run(atMs, id, scope, expected);
        if (changes === 1) also();
        return changes === 1;
      }),
    deleteProfiles: (id, also) =>
      durably(fast, () => {
        also();
        remove.run(id);
      }),
  };
}
