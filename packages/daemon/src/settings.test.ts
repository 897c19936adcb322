// What config.json may say of proxies, and how it is told what is wrong.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { readSettings } from './settings.ts';
import { listSettings } from './settings-words.ts';

suite('settings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-settings-'));
  after(() => rmSync(folder, { recursive: true }));
  const read = (settings: object) => {
    const path = join(folder, 'config.json');
    writeFileSync(path, JSON.stringify(settings));
    return readSettings(path);
  };

  for (const url of ['http://10.0.0.1:3128', 'https://proxy.example/', 'socks5://[::1]:1080'])
    test(`${url} is a proxy`, () => {
      const { proxies, proxy } = read({ proxies: { office: { url } }, proxy: 'office' });
      assert.deepEqual([proxies, proxy], [{ office: { url } }, 'office']);
    });

  for (const url of ['ftp://a.example', 'http://ada:secret@a.example', 'http://a.example/path', 'socks5://a.example?x', 'a.example:80', ''])
    test(`"${url}" is none`, () => {
      assert.throws(() => read({ proxies: { office: { url } } }), /"proxies\.office\.url" is not an http, https or socks5 address/);
    });

  test('every key is listed with its meaning, its unit, its default and its value here', () => {
    read({ retention: { run_days: 7 } });
    const listed = listSettings(join(folder, 'config.json'));
    assert.deepEqual(
      listed.filter(({ meaning, unit }) => meaning === '' || unit === ''),
      [],
    );
    assert.deepEqual(
      listed.filter((one) => one.value !== one.default && one.key !== 'proxies' && one.key !== 'models'),
      [{ key: 'retention.run_days', meaning: 'how long settled runs are kept', unit: 'days', default: 90, value: 7 }],
    );
    assert.deepEqual(
      Object.keys(readSettings('')).filter((name) => !listed.some(({ key }) => key.split('.')[0] === name)),
      [],
    );
  });

  test('no key is listed that the file may not hold', () => {
    const valueOf = (key: string, value: unknown) => (key === 'proxy' || key === 'model' ? undefined : value);
    for (const { key, default: value } of listSettings('')) {
      const body = key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), valueOf(key, value));
      assert.doesNotThrow(() => read(body as object), key);
    }
  });

  test('the proxy of all requests is one of the named', () => {
    assert.throws(() => read({ proxies: {}, proxy: 'constructor' }), /"proxy" names none of `proxies`/);
    assert.throws(() => read({ proxies: { '../x': { url: 'http://a.example' } } }), /proxies/);
    assert.equal(read({}).proxy, undefined);
  });

  test('a model has bounds unless it says others, and is asked only where it is the one in use', () => {
    const { models, model } = read({ models: { near: { url: 'http://127.0.0.1:11434/v1', name: 'qwen3:8b' } } });
    assert.equal(model, undefined);
    assert.deepEqual(models['near'], {
      format: 'openai',
      url: 'http://127.0.0.1:11434/v1',
      name: 'qwen3:8b',
      timeout_seconds: 120,
      input_tokens_max: 16_000,
      output_tokens_max: 4000,
    });
    assert.throws(() => read({ models: {}, model: 'constructor' }), /"model" names none of `models`/);
    for (const url of ['https://a:b@models.example/v1', 'models.example', 'https://models.example/v1?key=1', 'file:///etc/passwd'])
      assert.throws(() => read({ models: { far: { url, name: 'm' } } }), /"models\.far\.url" is not an https address of a model/);
    assert.throws(() => read({ models: { far: { url: 'https://models.example', name: 'm', key: 'sk-1' } } }), /models\.far/);
  });
});
