import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { createContext } from './context.ts';
import { CommandError } from './exit.ts';
import { sendOf } from './send-options.ts';

const CANARY = 'c4n4ry-9f31';

suite('what a command sends of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-send-'));
  const file = join(folder, 'value');
  writeFileSync(file, `${CANARY}\n`);
  after(() => rmSync(folder, { recursive: true }));
  const environment = {
    variables: { TOKEN: CANARY },
    called: 'weft',
    home: folder,
    compileCache: undefined,
    hasColour: false,
    isTerminal: false,
  };
  const context = createContext(environment, [], { isJson: false, isQuiet: false, isVerbose: false }, new AbortController().signal);
  const basic = (password: string) => `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`;

  const SENT: readonly (readonly [options: Record<string, string>, sent: unknown])[] = [
    [{}, {}],
    [{ header: 'X-Key: env:TOKEN\nAccept-Language: de' }, { send: { headers: { 'x-key': CANARY, 'accept-language': 'de' } } }],
    [{ header: `Authorization:file:${file}` }, { send: { headers: { authorization: CANARY } } }],
    [
      { cookie: `sid=env:TOKEN\nb=file:${file}` },
      {
        send: {
          cookies: [
            { name: 'sid', value: CANARY },
            { name: 'b', value: CANARY },
          ],
        },
      },
    ],
    [{ basic: 'ada:env:TOKEN' }, { send: { headers: { authorization: basic(CANARY) } } }],
    [{ basic: `ada:file:${file}` }, { send: { headers: { authorization: basic(CANARY) } } }],
    [{ data: 'q=tea', method: 'PUT' }, { send: { method: 'PUT', body: 'q=tea' } }],
    [{ data: `@${file}` }, { send: { body: `${CANARY}\n` } }],
    [{ proxy: 'office' }, { proxy: 'office' }],
  ];
  for (const [options, sent] of SENT)
    test(`${JSON.stringify(options).replaceAll(folder, '')} sends what it names`, async () =>
      assert.deepEqual(await sendOf(context, options), sent));

  for (const [options, says] of [
    [{ header: `X-Key: ${CANARY}` }, /list of processes.*'X-Key: env:VARIABLE, file:PATH or ask'/],
    [{ header: CANARY }, /"Name: value"/],
    [{ header: 'X-Key: env:ABSENT' }, /the variable ABSENT, which is not set/],
    [{ header: 'X-Key: file:/nowhere/at/all' }, /there is no such file/],
    [{ cookie: `sid=${CANARY}` }, /--cookie sid=env:VARIABLE/],
    [{ basic: `ada:${CANARY}` }, /list of processes/],
  ] as const)
    test(`${Object.keys(options)[0]} as ${says.source} is refused, and its value is not quoted`, () =>
      assert.rejects(
        sendOf(context, options),
        (error) => error instanceof CommandError && says.test(error.message) && !error.message.includes(CANARY),
      ));
});
