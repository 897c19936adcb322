// What config.json may say of proxies, and how it is told what is wrong.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { readSettings } from './settings.ts';

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

  test('the proxy of all requests is one of the named', () => {
    assert.throws(() => read({ proxies: {}, proxy: 'constructor' }), /"proxy" names none of `proxies`/);
    assert.throws(() => read({ proxies: { '../x': { url: 'http://a.example' } } }), /proxies/);
    assert.equal(read({}).proxy, undefined);
  });
});
