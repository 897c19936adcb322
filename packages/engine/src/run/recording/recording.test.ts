import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { StepOf } from '@weft/contract';
import { Recorder } from './recording.ts';
import type { Recording, ToldAct } from './told.ts';

const SITE = 'https://shop.example';
const FORM = `<form><input name=user aria-label="Your name"><input name=pw type=password aria-label=Password><label><input type=checkbox name=stay> Stay</label><button>Go on</button></form>`;
const IN = `<a href="/account/logout">Leave us</a><h1>Teas</h1>`;
const CODE = `<form><input name=code aria-label="Verification code" autocomplete=one-time-code><button>Check</button></form>`;
const LIST = `<ul class=teas>${[1, 2, 3, 4].map((place) => `<li class=tea><h3>Tea ${place}</h3><b>${place}.50 €</b></li>`).join('')}</ul>`;
const PAGED = `${IN}${LIST}<p class=pages><b>1</b> <a href="/teas?page=2">2</a> <a href="/teas?page=2" rel=next class=next>Next</a></p>`;

/** One act: on the first element that `mark` begins in `body`. */
function act(kind: ToldAct['kind'], path: string, body: string, mark: string, more: Partial<ToldAct> = {}): ToldAct {
  const html = `<!doctype html><title>Shop</title><body>${body.replace(mark, `${mark} data-weft-node=""`)}`;
  return { kind, url: `${SITE}${path}`, html, frame: [], target: undefined, ...more };
}
const opened = { kind: 'navigate', url: `${SITE}/login` } as const;
const name = act('change', '/login', FORM, '<input name=user', { value: 'ann', hints: ['Your name', 'user'] });
const password = act('change', '/login', FORM, '<input name=pw', { isPassword: true, hints: ['Password'] });
const sent = act('click', '/login', FORM, '<button');
const code = act('change', '/code', CODE, '<input name=code', { value: '123456', hints: ['Verification code'] });
const checked = act('click', '/code', CODE, '<button');
const title = act('click', '/teas', IN, '<h1');

function record(acts: readonly Parameters<Recorder['add']>[0][], last?: string): Recording {
  const recorder = new Recorder();
  for (const each of acts) recorder.add(each);
  return recorder.finish('Recorded', last === undefined ? undefined : { url: `${SITE}/end`, html: last });
}
const typesOf = ({ workflow }: Recording) => (workflow?.steps ?? []).map(({ type }) => type).join(' ');
const loginOf = ({ workflow }: Recording) => workflow?.steps.find((step): step is StepOf<'login'> => step.type === 'login');

suite('a login that was recorded', () => {
  test('is one step, proved by the way out that only members see, and names no persona', () => {
    const made = record([opened, name, password, sent, title]);
    assert.equal(typesOf(made), 'login click');
    const login = loginOf(made);
    assert.equal(login?.url, `${SITE}/login`);
    assert.deepEqual(login?.success, { page: { selectors: login && selectorsOf(login) }, op: 'exists' });
    assert.ok(login && selectorsOf(login).includes('aria/Leave us[role="link"]'), JSON.stringify(login));
    assert.deepEqual(Object.keys(login?.fields ?? {}), ['username', 'password', 'submit']);
    assert.equal(made.workflow?.inputs, undefined);
  });

  test('is proved by the page that was open in the end, where nothing was done behind it', () =>
    assert.equal(typesOf(record([opened, name, password, sent], IN)), 'login'));

  test('takes its code with it, which some forms send by themselves', () => {
    for (const behind of [[checked], []]) {
      const login = loginOf(record([opened, name, password, sent, code, ...behind, title]));
      assert.deepEqual(Object.keys(login?.fields ?? {}), ['username', 'password', 'otp', 'submit']);
    }
  });

  test('takes Enter for its button, and no box beside it', () => {
    const box = act('click', '/login', FORM, '<input type=checkbox');
    const enter = act('key', '/login', FORM, '<input name=pw', { key: 'Enter' });
    assert.equal(typesOf(record([opened, name, password, box, enter, title])), 'login click');
  });

  test('opens its form by what opened it, where its page did not show it', () => {
    const home = act('click', '/login', '<button>Sign in</button>', '<button');
    const login = loginOf(record([opened, home, name, password, sent, title]));
    assert.deepEqual(login?.opener?.[0], 'aria/Sign in[role="button"]');
  });

  test('is proved by what stands where its opener stood, where no way out is shown', () => {
    const bar = (button: string) => `<header><b>Shop</b><div>${button}</div></header>`;
    const home = act('click', '/', bar('<button>Sign in</button>'), '<button');
    const behind = (kind: 'change' | 'click', mark: string, more: Partial<ToldAct> = {}) =>
      act(kind, '/', bar('<button>Sign in</button>') + FORM.replace('<button', '<button name=go'), mark, more);
    const acts = [
      home,
      behind('change', '<input name=user', { value: 'ann', hints: ['user'] }),
      behind('change', '<input name=pw', { isPassword: true }),
      behind('click', '<button name=go'),
    ];
    const made = record([{ kind: 'navigate', url: `${SITE}/` }, ...acts], bar('<button aria-label="Your account">A</button>'));
    assert.deepEqual(selectorsOf(loginOf(made) as StepOf<'login'>)[0], 'aria/Your account[role="button"]');
  });

  test('is opened by its address, and keeps what was done before for another reason', () => {
    const home = act('click', '/', `<a href=/login>Members</a>${FORM}`, '<a');
    assert.equal(typesOf(record([opened, home, name, password, sent, title])), 'login click');
    const typed = act('change', '/', '<input name=q aria-label=Words>', '<input', { value: 'tea', hints: ['Words'] });
    const made = record([opened, typed, name, password, sent, title]);
    assert.equal(typesOf(made), 'navigate change login click');
    assert.deepEqual(Object.keys((made.workflow?.inputs?.['properties'] ?? {}) as object), ['words']);
  });

  const STAYS: readonly (readonly [why: string, acts: Parameters<typeof record>[0], last: string, reason: RegExp])[] = [
    ['nothing shows that it worked', [opened, name, password, sent], '<h1>Teas</h1>', /no page behind it shows/],
    ['it is asked for again', [opened, name, password, sent], FORM, /no page behind it shows/],
    ['a password is set', [opened, password, act('change', '/login', FORM, '<button', { isPassword: true }), sent], IN, /more than once/],
    ['nothing sends it', [opened, name, password], IN, /nothing sends it/],
  ];
  for (const [why, acts, last, reason] of STAYS)
    test(`stays as it was where ${why}`, () => {
      const made = record(acts, last);
      assert.equal(loginOf(made), undefined);
      assert.ok(
        made.leftOut.some(({ message }) => reason.test(message)),
        JSON.stringify(made.leftOut),
      );
    });
});

suite('a list that was recorded', () => {
  const second = PAGED.replace('<li class=tea>', '<li class="tea">');
  const marks = [act('mark', '/teas', PAGED, '<li class=tea'), act('mark', '/teas', second, '<li class=tea')];
  const next = act('click', '/teas', PAGED, '<a href="/teas?page=2" rel=next');

  test('is read page by page where its next page was opened behind it', () => {
    const made = record([{ kind: 'navigate', url: `${SITE}/teas` }, ...marks, next, next]);
    assert.equal(typesOf(made), 'navigate paginate');
    const [, pages] = made.workflow?.steps ?? [];
    assert.ok(pages?.type === 'paginate' && pages.mode === 'next_link' && pages.body[0]?.type === 'extractList', JSON.stringify(pages));
  });

  test('is waited for where an act leads to it', () => {
    const made = record([{ kind: 'navigate', url: `${SITE}/` }, title, ...marks]);
    assert.equal(typesOf(made), 'navigate click waitForElement extractList');
    const [, , there] = made.workflow?.steps ?? [];
    assert.ok(there?.type === 'waitForElement' && there.selectors.includes('li.tea'), JSON.stringify(there));
  });

  test('is read once where another link was followed', () => {
    const other = act('click', '/teas', PAGED, '<a href="/account/logout"');
    assert.equal(typesOf(record([{ kind: 'navigate', url: `${SITE}/teas` }, ...marks, other])), 'navigate extractList click');
  });
});

function selectorsOf({ success }: StepOf<'login'>): readonly unknown[] {
  return success && 'page' in success ? (success.page?.selectors ?? []) : [];
}
