// An application on loopback whose session lies in three places: a cookie, local storage and a database of the browser. Without one of them
// it asks to log in: by a form, or at `?dialog` by a button that opens one whose controls have no names. At `?trusting` it shows who is logged in by what it has stored.
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSite } from './crawl-sites.ts';
import type { LocalSite } from './crawl-sites.ts';

export const APP_MEMBER = { username: 'joan', password: 'one door, three keys' } as const;

/** Its scripts wait as long for what they ask. */
const ANSWER_MS = 250;

export interface AppSite extends LocalSite {
  /** How many logins have worked. */
  readonly logins: () => number;
  /** Ends every session, of which only the server knows. */
  endSessions(): void;
}

const PAGE = `<!doctype html><html lang="en"><title>The app</title><main><h1>The app</h1>
<p>This application shows its members what they have written down, and keeps what it knows of them in three places of their browser.</p>
<div id="out"></div><button id="door" hidden onclick="setTimeout(() => { enter.hidden = false }, 100)">Log in</button>
<form id="enter" hidden><label>User name <input id="user" name="user"></label><label>Password <input id="pass" type="password" name="pass"></label><button>Log in</button></form></main>
<script>
const isTrusting = location.search === '?trusting';
const opened = new Promise((done) => {
  const ask = indexedDB.open('app', 1);
  ask.onupgradeneeded = () => ask.result.createObjectStore('keys');
  ask.onsuccess = () => done(ask.result);
});
const answerOf = (ask) => new Promise((done) => { ask.onsuccess = () => done(ask.result) });
const keys = async (mode) => (await opened).transaction('keys', mode).objectStore('keys');
async function look() {
  const key = (await answerOf((await keys('readonly')).get('key'))) ?? '';
  const response = await fetch('/app/me' + location.search, { headers: { 'x-token': localStorage.getItem('token') ?? '', 'x-key': key } });
  const { name = isTrusting ? (localStorage.getItem('token') ?? '') : '' } = await response.json();
  (location.search === '?dialog' ? door : enter).hidden = name !== '';
  if (name !== '') enter.hidden = true;
  if (name !== '') out.innerHTML = '<p id="hello"></p>';
  if (name !== '') document.querySelector('#hello').textContent = 'Hello, ' + name + '.';
}
enter.onsubmit = async (event) => {
  event.preventDefault();
  const response = await fetch('/app/enter', { method: 'POST', body: new URLSearchParams({ user: user.value, pass: pass.value }) });
  if (!response.ok) return;
  const { token, key } = await response.json();
  localStorage.setItem('token', token);
  await answerOf((await keys('readwrite')).put(key, 'key'));
  await look();
};
if (location.search === '?dialog') for (const input of [user, pass]) input.removeAttribute('name');
look();
</script></html>`;

/** Starts it with one member. */
export async function startAppSite(): Promise<AppSite> {
  const sessions = new Set<string>();
  let logins = 0;
  const json = (value: object, headers: Readonly<Record<string, string>> = {}) => ({
    status: 200,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  });
  const site = await startSite(async (path, url, request) => {
    if (path === '/app') return PAGE;
    await sleep(ANSWER_MS);
    if (path === '/app/me') {
      const isTrusting = url.search === '?trusting';
      const cookie = /(?:^|; )app=(\w+)/.exec(request.headers.cookie ?? '')?.[1];
      const shown = [cookie, request.headers['x-token'], request.headers['x-key']].join(' ');
      if (isTrusting && !sessions.has(shown)) return { status: 401, headers: { 'content-type': 'application/json' }, body: '{}' };
      return json({ name: sessions.has(shown) ? 'Joan' : '' });
    }
    if (path !== '/app/enter') return undefined;
    const form = new URLSearchParams(await text(request));
    if (form.get('user') !== APP_MEMBER.username || form.get('pass') !== APP_MEMBER.password) return { status: 403, body: 'no' };
    const [cookie, token, key] = [1, 2, 3].map(() => randomBytes(8).toString('hex'));
    sessions.add([cookie, token, key].join(' '));
    logins++;
    return json({ token, key }, { 'set-cookie': `app=${cookie}; HttpOnly; Path=/; Max-Age=86400` });
  });
  return { ...site, logins: () => logins, endSessions: () => sessions.clear() };
}
