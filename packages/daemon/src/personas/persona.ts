// Personas: what is told of them, and the one way to their values, which go to an origin of theirs (D34).
import { AppError, LIMITS, NewPersona } from '@weft/contract';
import type { FeedRun, Persona, PersonaPatch, TwoFactor } from '@weft/contract';
import { nextCode, readSeed } from '@weft/engine';
import type { Acting, ActingValues, Clock, NextCode } from '@weft/engine';
import { mergePatch, toInstant } from '@weft/serve';
import type { Runs } from '../runs/run.ts';
import type { Vault } from '../vault/vault.ts';
import type { Profiles } from './profile.ts';
import type { PersonaChange, PersonaRow, PersonaStore } from './store.ts';

interface Page {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export interface Personas {
  list(page: Page): { readonly data: Persona[]; readonly total: number };
  /** All methods that take an id throw AppError `not_found`. */
  require(id: number): Persona;
  /** The id of a new persona. Throws AppError `vault_locked` where values are sent, `bad_request` for a seed that is none. */
  create(input: NewPersona): number;
  /** Merges the patch (RFC 7396). Other origins clear the values and sessions that are not sent with them. Throws as `create` does. */
  update(id: number, patch: PersonaPatch): void;
  /** Deletes it with its values and sessions, and cancels the live runs that act as it: their ids. Throws AppError `vault_locked`. */
  delete(id: number): readonly number[];
  /** Runs that acted as it, newest first. */
  runs(id: number, page: Page): { readonly data: FeedRun[]; readonly total: number };
  /**
   * A value, for sending it to `origin` now: `username`, `password` or the name of a field; undefined where it is not set. Throws AppError
   * `forbidden` for an origin that is none of the persona's, `vault_locked`.
   */
  valueFor(id: number, name: string, origin: string): string | undefined;
  /** Every value of it, for taking them out of what is kept. Throws AppError `vault_locked`. */
  allValues(id: number): ActingValues;
  /** The next TOTP code for sending to `origin`, which is spent by this: no other call is given one of its period. Throws as `valueFor`; `bad_request` without a seed. */
  spendCode(id: number, origin: string): NextCode;
}

export interface PersonaPorts {
  readonly store: PersonaStore;
  readonly vault: Vault;
  readonly runs: Pick<Runs, 'list' | 'cancelOfPersona'>;
  readonly clock: Clock;
  readonly profiles: Pick<Profiles, 'clear'>;
  /** Those of workflows. */
  readonly sessions: { readonly clearOfPersona: (personaId: number) => void };
}

const OWNER = 'persona';
const NOUN = 'persona';
/** How the vault tells a field from the values that every persona has. */
const FIELD = 'field:';
const NAMED = ['username', 'password', 'totp_seed'] as const;

/** Values to keep, and null for those to take out, by their names in the vault. */
type Values = ReadonlyMap<string, string | null>;
/** What is told of a persona, as a new one is sent. */
type Told = Pick<NewPersona, 'name' | 'origins' | 'locale' | 'two_factor' | 'proxy'>;

export function createPersonas({ store, vault, runs, clock, profiles, sessions }: PersonaPorts): Personas {
  const requireRow = (id: number): PersonaRow => {
    const row = store.find(id);
    if (!row) throw new AppError('not_found', `There is no persona ${id}.`);
    return row;
  };
  const show = (row: PersonaRow): Persona => toPersona(row, vault.fieldsOf(OWNER, String(row.id)), store);
  const keep = (id: number, values: Values) => {
    const gone = [...values].filter(([, value]) => value === null).map(([name]) => name);
    vault.remove(
      OWNER,
      String(id),
      vault.fieldsOf(OWNER, String(id)).filter((name) => gone.includes(name)),
    );
    for (const [name, value] of values) if (value !== null) vault.put({ owner: OWNER, record: String(id), field: name }, value);
  };
  const forgetSessions = (id: number) => {
    profiles.clear(id);
    sessions.clearOfPersona(id);
  };
  const valueFor = (id: number, field: string, origin: string): string | undefined => {
    const { origins } = show(requireRow(id));
    if (!origins.includes(origin))
      throw new AppError('forbidden', `Persona ${id} is not for ${origin}; it is for ${origins.join(', ') || 'no origin yet'}.`);
    const value = vault.find({ owner: OWNER, record: String(id), field });
    store.touch(id, clock.now());
    return value?.toString();
  };
  return {
    list: (page) => ({ data: store.list(page.limit ?? LIMITS.listLimitDefault, page.offset ?? 0).map(show), total: store.count() }),
    require: (id) => show(requireRow(id)),
    create(input) {
      const values = valuesOf(input);
      if (values.size > 0) vault.require();
      const change = changeOf(input, hasSeed(values, []), clock.now());
      return store.insert({ ...change, created_at: change.updated_at }, (id) => keep(id, values));
    },
    update(id, patch) {
      const row = requireRow(id);
      const { name, origins, locale, two_factor, proxy } = patch;
      const sent = Object.entries({ name, origins, locale, two_factor, proxy }).filter(([, value]) => value !== undefined);
      const merged = mergePatch<NewPersona>(toldOf(row), Object.fromEntries(sent), NewPersona, NOUN);
      const fields = vault.fieldsOf(OWNER, String(id));
      const isMoved = JSON.stringify(merged.origins ?? []) !== row.origins;
      const values = new Map([
        ...(isMoved ? fields.map((field) => [field, null] as const) : []),
        ...removedFields(patch, fields),
        ...valuesOf(patch),
      ]);
      const change = changeOf(merged, hasSeed(values, fields), clock.now(), two_factor === undefined);
      store.update(id, change, () => {
        keep(id, values);
        if (isMoved) forgetSessions(id);
      });
    },
    delete(id) {
      requireRow(id);
      let live: readonly number[] = [];
      store.delete(id, () => {
        live = runs.cancelOfPersona(id);
        vault.remove(OWNER, String(id));
        forgetSessions(id);
      });
      return live;
    },
    runs(id, page) {
      requireRow(id);
      return runs.list({ ...page, personaId: id });
    },
    valueFor: (id, name, origin) => valueFor(id, name === 'username' || name === 'password' ? name : `${FIELD}${name}`, origin),
    allValues(id) {
      const record = String(id);
      const find = (fields: readonly string[]) => fields.flatMap((field) => vault.find({ owner: OWNER, record, field })?.toString() ?? []);
      const [names, secrets] = [['username'], vault.fieldsOf(OWNER, record).filter((field) => field !== 'username')];
      return { secrets: find(secrets), names: find(names) };
    },
    spendCode(id, origin) {
      const read = readSeed(valueFor(id, 'totp_seed', origin) ?? '');
      if ('fault' in read) throw new AppError('bad_request', `Persona ${id} has no TOTP seed: ${read.message}`);
      const code = nextCode(read.totp, clock.now(), requireRow(id).totp_counter ?? undefined);
      store.spendCounter(id, code.counter, clock.now());
      return code;
    },
  };
}

/** How whoever acts as a persona goes out. */
export function actingOf({ locale, proxy }: Persona): Acting {
  return { locale, proxy };
}

/** The values that are sent, and null for those that are taken out. Throws AppError `bad_request` for a seed that is none. */
function valuesOf(input: NewPersona | PersonaPatch): Values {
  const fields = Object.entries(input.fields ?? {}).map(([name, value]) => [`${FIELD}${name}`, value] as const);
  const named = NAMED.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]] as const]));
  const read = typeof input.totp_seed === 'string' ? readSeed(input.totp_seed) : undefined;
  if (read && 'fault' in read) throw new AppError('bad_request', `"totp_seed" is no seed (${read.fault}): ${read.message}`);
  return new Map([...named, ...fields]);
}

/** `fields: null` takes all of them out. */
function removedFields({ fields }: PersonaPatch, kept: readonly string[]): (readonly [string, null])[] {
  return fields === null ? kept.filter((name) => name.startsWith(FIELD)).map((name) => [name, null] as const) : [];
}

function hasSeed(values: Values, kept: readonly string[]): boolean {
  const sent = values.get('totp_seed');
  return sent === undefined ? kept.includes('totp_seed') : sent !== null;
}

/** What is written of a persona. A seed makes it `totp` and its loss `none`, where neither is said. */
function changeOf(told: Told, isSeeded: boolean, nowMs: number, followsSeed = told.two_factor === undefined): PersonaChange {
  const { name, origins = [], locale = null, proxy = null, two_factor = 'none' } = told;
  return {
    name,
    origins: JSON.stringify(origins),
    locale,
    two_factor: followsSeed ? followSeed(two_factor, isSeeded) : requireSeed(two_factor, isSeeded),
    proxy,
    updated_at: nowMs,
  };
}

function followSeed(before: TwoFactor, isSeeded: boolean): TwoFactor {
  if (before === 'ask') return before;
  return isSeeded ? 'totp' : 'none';
}

function requireSeed(twoFactor: TwoFactor, isSeeded: boolean): TwoFactor {
  if (twoFactor === 'totp' && !isSeeded)
    throw new AppError('bad_request', '"two_factor" is totp, and there is no seed: send one as `totp_seed`.');
  return twoFactor;
}

function toldOf(row: PersonaRow): NewPersona {
  return {
    name: row.name,
    origins: JSON.parse(row.origins) as string[],
    two_factor: row.two_factor,
    ...(row.locale === null ? {} : { locale: row.locale }),
    ...(row.proxy === null ? {} : { proxy: row.proxy }),
  };
}

function toPersona(row: PersonaRow, fields: readonly string[], store: PersonaStore): Persona {
  const { name, origins = [], ...told } = toldOf(row);
  return {
    ...told,
    id: row.id,
    name,
    origins,
    two_factor: row.two_factor,
    has_username: fields.includes('username'),
    has_password: fields.includes('password'),
    has_totp_seed: fields.includes('totp_seed'),
    fields: fields.filter((field) => field.startsWith(FIELD)).map((field) => field.slice(FIELD.length)),
    sessions: store.profilesOf(row.id).map(({ scope, version, updated_at }) => ({ scope, version, updated_at: toInstant(updated_at) })),
    created_at: toInstant(row.created_at),
    updated_at: toInstant(row.updated_at),
    ...(row.last_used_at === null ? {} : { last_used_at: toInstant(row.last_used_at) }),
  };
}
