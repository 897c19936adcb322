// Sessions of many sites in one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeSession } from './merge-session.ts';
import type { StorageState } from './session.ts';

const cookie = (domain: string, name: string) =>
  ({ name, value: 'v', domain, path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' }) as const;
const storage = (origin: string, value: string) => ({ origin, localStorage: [{ name: 'k', value }] });
const state = (cookies: StorageState['cookies'], origins: StorageState['origins'] = []): StorageState => ({ cookies, origins });

test('a run leaves what it has of its own sites, and those of others as they were', () => {
  const before = state(
    [cookie('.a.test', 'old'), cookie('a.test', 'gone'), cookie('b.test', 'b')],
    [storage('https://a.test', '1'), storage('https://b.test', '2')],
  );
  const left = state([cookie('a.test', 'new')], [storage('https://a.test', '3')]);
  const merged = mergeSession(before, left);
  assert.deepEqual(
    merged.cookies.map(({ name }) => name),
    ['new', 'b'],
  );
  assert.deepEqual(merged.origins, [storage('https://a.test', '3'), storage('https://b.test', '2')]);
  assert.equal(mergeSession(undefined, left), left);
});
