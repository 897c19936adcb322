import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ConfigError, VERSION, readConfig } from './config.ts';

suite('the name that sites see', () => {
  const CASES: readonly (readonly [contact: string | undefined, userAgent: string])[] = [
    [undefined, `WeftBot/${VERSION}`],
    ['', `WeftBot/${VERSION}`],
    ['https://you.example/bot', `WeftBot/${VERSION} (+https://you.example/bot)`],
    ['http://you.example', `WeftBot/${VERSION} (+http://you.example)`],
    ['bot@you.example', `WeftBot/${VERSION} (bot@you.example)`],
    ['first.last+bot@mail.you.example', `WeftBot/${VERSION} (first.last+bot@mail.you.example)`],
  ];
  for (const [contact, userAgent] of CASES)
    test(`with the contact ${contact ?? 'left out'} is ${userAgent}`, () =>
      assert.equal(readConfig({ SERVICE_CONTACT: contact }).userAgent, userAgent));

  const REFUSED = [
    'you',
    'you.example/bot',
    'javascript:alert(1)',
    'ftp://you.example',
    'mailto:bot@you.example',
    'bot@localhost',
    'https://you.example/a b',
    'https://you.example/(a)',
    'https://you.example/\\',
    'https://you.example/\r\nX-Injected: 1',
    'https://yöu.example/',
    `https://you.example/${'a'.repeat(200)}`,
  ];
  for (const contact of REFUSED)
    test(`refuses the contact ${JSON.stringify(contact.slice(0, 40))}, and says what it may be`, () =>
      assert.throws(
        () => readConfig({ SERVICE_CONTACT: contact }),
        (error: Error) => error instanceof ConfigError && /SERVICE_CONTACT is ".+"; it must be/s.test(error.message),
      ));
});

suite('the port', () => {
  for (const [text, port] of [
    [undefined, 8131],
    ['', 8131],
    ['1', 1],
    ['65534', 65_534],
  ] as const)
    test(`given as ${text} is ${port}`, () => assert.equal(readConfig({ SERVICE_PORT: text }).port, port));

  for (const text of ['0', '65535', '-1', '80a', '8131.5', '1e3', ' 80'])
    test(`refuses ${JSON.stringify(text)}`, () => assert.throws(() => readConfig({ SERVICE_PORT: text }), ConfigError));
});

suite('the key of the model', () => {
  test('is had by asking for it, and stands in nothing that writes the configuration out', () => {
    const config = readConfig({ SERVICE_MODEL_KEY: ' sk-abc-1 ' });
    assert.equal(config.modelKey(), 'sk-abc-1');
    assert.ok(!JSON.stringify(config).includes('sk-abc-1'));
    assert.equal(readConfig({}).modelKey(), undefined);
  });

  test('is refused in a sentence without it where a header could not hold it', () => {
    assert.throws(
      () => readConfig({ SERVICE_MODEL_KEY: 'sk-abc\r\nx: 1' }),
      (error) => error instanceof ConfigError && /SERVICE_MODEL_KEY must be/.test(error.message) && !error.message.includes('sk-abc'),
    );
  });
});
