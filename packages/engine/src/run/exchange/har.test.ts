import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { NewWorkflow } from '@weft/contract';
import type { Step } from '@weft/contract';
import { checkWorkflow } from '../definition/check.ts';
import { importHar } from './har.ts';
import { readStorageState } from './storage-state.ts';
import { ExchangeError } from './untrusted.ts';

interface Asked {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sent?: { readonly mimeType: string; readonly text: string };
  readonly status?: number;
  readonly answerHeaders?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly text?: string;
  readonly kind?: string;
}

const listed = (headers: Readonly<Record<string, string>> = {}) => Object.entries(headers).map(([name, value]) => ({ name, value }));
const harOf = (...asked: readonly Asked[]) =>
  JSON.stringify({
    log: {
      version: '1.2',
      entries: asked.map(
        ({ url, method = 'GET', headers, sent, status = 200, answerHeaders, type = 'text/html', text = '', kind }, place) => ({
          startedDateTime: new Date(1_700_000_000_000 + place).toISOString(),
          ...(kind === undefined ? {} : { _resourceType: kind }),
          request: { method, url, headers: listed(headers), ...(sent ? { postData: sent } : {}) },
          response: { status, headers: listed(answerHeaders), content: { mimeType: type, text } },
        }),
      ),
    },
  });
const imported = (...asked: readonly Asked[]) => {
  const read = importHar(harOf(...asked));
  NewWorkflow.parse(read.workflow);
  assert.deepEqual(checkWorkflow(read.workflow), []);
  return read;
};
const stepsOf = (...asked: readonly Asked[]): readonly Step[] => imported(...asked).workflow.steps;

suite('HTTP archives', () => {
  test('leave static files and telemetry out, and say how many', () => {
    const { workflow, leftOut } = imported(
      { url: 'https://a.test/' },
      { url: 'https://a.test/logo.png', type: 'image/png' },
      { url: 'https://a.test/app.js', type: 'text/javascript' },
      { url: 'https://a.test/collect?x=1', type: 'text/plain' },
      { url: 'https://a.test/left', kind: 'ping' },
      { url: 'https://a.test/never', status: 0 },
      { url: 'https://a.test/api', method: 'OPTIONS' },
    );
    assert.deepEqual(workflow.steps, [{ id: 'r1', type: 'request', url: 'https://a.test/' }]);
    assert.deepEqual(
      leftOut.map(({ message }) => message),
      [
        '2 static files are left out: pictures, styles, scripts, fonts and media.',
        '1 requests that count and watch are left out.',
        '1 messages of the page about itself are left out.',
        '1 requests are left out: they were not answered.',
        '1 OPTIONS requests are left out: browsers ask them by themselves.',
      ],
    );
  });

  test('take values from the answers that gave them: in paths, queries, bodies and headers', () => {
    const answer = JSON.stringify({ token: 'tok-98765', user: { 'the id': 4711223 }, page: 1 });
    const [, second] = stepsOf(
      { url: 'https://a.test/start', type: 'application/json', text: answer },
      {
        url: 'https://a.test/users/4711223/items?t=tok-98765&page=1',
        method: 'POST',
        headers: { Authorization: 'Bearer tok-98765', Accept: 'application/json', 'User-Agent': 'x' },
        sent: { mimeType: 'application/json', text: '{"user":4711223,"page":1,"q":"a {{b}}"}' },
        type: 'application/json',
        text: '{}',
      },
    );
    assert.deepEqual(second, {
      id: 'r2',
      type: 'request',
      method: 'POST',
      url: 'https://a.test/users/{{steps.r1.out.json.user["the id"]}}/items?t={{steps.r1.out.json.token}}&page=1',
      headers: { authorization: 'Bearer {{steps.r1.out.json.token}}', accept: 'application/json' },
      json: { user: '{{steps.r1.out.json.user["the id"]}}', page: 1, q: 'a {{"{{"}}b}}' },
    });
  });

  test('read the hidden fields of a form anew', () => {
    const steps = stepsOf(
      { url: 'https://a.test/login', text: '<form><input type=hidden name=csrf value=abc123def><input name=user></form>' },
      {
        url: 'https://a.test/login',
        method: 'POST',
        sent: { mimeType: 'application/x-www-form-urlencoded', text: 'csrf=abc123def&user=ann&password=hunter2&otp=123456' },
        status: 303,
        answerHeaders: { Location: '/home' },
      },
      { url: 'https://a.test/home', text: 'hello' },
    );
    assert.deepEqual(steps, [
      { id: 'r1', type: 'navigate', url: 'https://a.test/login' },
      {
        id: 'r1_1',
        type: 'extract',
        title: 'input[name="csrf"] of r1',
        fields: { value: { selectors: ['input[name="csrf"]'], attr: 'value', required: true } },
      },
      {
        id: 'r2',
        type: 'request',
        method: 'POST',
        url: 'https://a.test/login',
        form: { csrf: '{{steps.r1_1.out.value}}', user: 'ann', password: '{{persona.password}}', otp: '{{persona.totp}}' },
      },
    ]);
  });

  test('say what is missing: keys, cookies, files', () => {
    const parts =
      '--b\r\nContent-Disposition: form-data; name="note"\r\n\r\nhi\r\n--b\r\nContent-Disposition: form-data; name="doc"; filename="a.txt"\r\n\r\nx\r\n--b--';
    const { workflow, leftOut } = imported({
      url: 'https://a.test/up',
      method: 'POST',
      headers: { 'X-Api-Key': 'sealed-value', Cookie: 'a=sealed-value' },
      sent: { mimeType: 'multipart/form-data; boundary=b', text: parts },
    });
    assert.deepEqual(workflow.steps, [{ id: 'r1', type: 'request', method: 'POST', url: 'https://a.test/up', multipart: { note: 'hi' } }]);
    assert.equal(leftOut.length, 3);
    assert.ok(!JSON.stringify({ workflow, leftOut }).includes('sealed-value'));
  });

  test('make rows of the list that was answered last', () => {
    const steps = stepsOf({
      url: 'https://a.test/api',
      type: 'application/json',
      text: '{"data":{"items":[{"a":1},{"a":2}]},"tags":["x"]}',
    });
    assert.deepEqual(steps.at(-1), { id: 'rows', type: 'emit', rows: '{{steps.r1.out.json.data.items}}' });
  });

  test('refuse what is no archive', () => {
    for (const wrong of ['', '{}', '{"log":{}}', '{"log":{"entries":[]}}']) assert.throws(() => importHar(wrong), ExchangeError, wrong);
  });
});

test("reads Playwright's storage state, and leaves out what has expired", () => {
  const cookie = {
    name: 'sid',
    value: 'sealed-value',
    domain: 'a.test',
    path: '/',
    expires: -1,
    httpOnly: true,
    secure: true,
    sameSite: 'Strict',
  };
  const origins = [{ origin: 'https://a.test', localStorage: [{ name: 'k', value: 'v' }], indexedDB: [{ name: 'db' }] }];
  const file = { cookies: [cookie, { ...cookie, expires: 5 }, { name: 'x' }], origins: [...origins, { origin: 'file:///x' }] };
  const { state, leftOut } = readStorageState(file, 10_000);
  assert.deepEqual(state, { cookies: [cookie], origins });
  assert.deepEqual(readStorageState({ ...state }, 10_000), { state, leftOut: [] });
  assert.deepEqual(
    leftOut.map(({ path }) => path),
    ['cookies.1', 'cookies.2', 'origins.1'],
  );
  assert.ok(!JSON.stringify(leftOut).includes('sealed-value'));
});
