// What the environment may say of a model, and how it is told what is wrong.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { ConfigError, readConfig } from './config.ts';

const NAMED = { SERVICE_MODEL_URL: 'https://api.example/v1', SERVICE_MODEL_NAME: 'm-1' };

suite('the model of a cloud', () => {
  test('is none unless the operator names one', () => {
    assert.equal(readConfig([], {}).model, undefined);
  });

  test('has its key from the environment or from a file, and shows it nowhere', () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-cloud-config-'));
    try {
      const path = join(folder, 'key');
      writeFileSync(path, 'sk-file-1\n');
      const fromFile = readConfig([], { ...NAMED, SERVICE_MODEL_KEY_FILE: path, SERVICE_MODEL_FORMAT: 'anthropic' });
      assert.deepEqual([fromFile.model?.format, fromFile.model?.key()], ['anthropic', 'sk-file-1']);
      const fromVariable = readConfig([], { ...NAMED, SERVICE_MODEL_KEY: 'sk-variable-1' });
      assert.equal(fromVariable.model?.key(), 'sk-variable-1');
      assert.ok(!JSON.stringify([fromFile, fromVariable]).includes('sk-'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  const REFUSED: readonly (readonly [env: Readonly<Record<string, string>>, message: RegExp])[] = [
    [{ SERVICE_MODEL_URL: 'https://api.example/v1' }, /SERVICE_MODEL_NAME must say/],
    [{ SERVICE_MODEL_NAME: 'm-1' }, /SERVICE_MODEL_URL must be/],
    [{ ...NAMED, SERVICE_MODEL_URL: 'ftp://api.example' }, /SERVICE_MODEL_URL must be/],
    [{ ...NAMED, SERVICE_MODEL_URL: 'https://ada:secret@api.example' }, /SERVICE_MODEL_URL must be/],
    [{ ...NAMED, SERVICE_MODEL_FORMAT: 'gemini' }, /is "gemini"; it must be openai or anthropic/],
    [{ ...NAMED, SERVICE_MODEL_KEY: 'two words' }, /The key of the model must be/],
    [{ ...NAMED, SERVICE_MODEL_KEY_FILE: '/nowhere/key' }, /SERVICE_MODEL_KEY_FILE can't be read/],
  ];
  for (const [env, message] of REFUSED)
    test(`is refused: ${message.source}`, () => {
      assert.throws(
        () => readConfig([], env),
        (error) => error instanceof ConfigError && message.test(error.message) && !/secret|two words/.test(error.message),
      );
    });
});
