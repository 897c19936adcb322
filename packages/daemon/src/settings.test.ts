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
      listed.filter((one) => one.value !== one.default && one.key !== 'proxies'),
      [{ key: 'retention.run_days', meaning: 'how long settled runs are kept', unit: 'days', default: 90, value: 7 }],
    );
    assert.deepEqual(
      Object.keys(readSettings('')).filter((name) => !listed.some(({ key }) => key.split('.')[0] === name)),
      [],
    );
  });

  test('no key is listed that the file may not hold', () => {
    const valueOf = (key: string, value: unknown) => (key === 'proxy' ? undefined : value);
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
});
