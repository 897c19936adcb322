// Which browser is used, and that what is unpacked is whole and one's own.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { findBrowsers } from './find.ts';
import { findPackedBrowser, findUnpackedBrowser, unpackBrowser } from './unpack.ts';

const packed = findPackedBrowser();

suite('finding a browser', { timeout: 600_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-find-'));
  after(() => rmSync(home, { recursive: true }));

  test('the one that the user names is the only one', () => {
    const path = join(home, 'chrome');
    writeFileSync(path, '');
    assert.deepEqual(
      findBrowsers({ home, chromePath: path }).map(({ source, name }) => [source, name]),
      [['configured', path]],
    );
  });

  test('one that the user names and that is not there is no reason to take another', () => {
    assert.deepEqual(findBrowsers({ home, chromePath: join(home, 'missing') }), []);
  });

  test('the one from npm is the last resort', { skip: !packed }, () => {
    assert.equal(findBrowsers({ home }).at(-1)?.source, 'packed');
  });
});

suite('the browser from npm', { timeout: 600_000, skip: !packed }, () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-unpack-'));
  const version = packed?.version ?? '';
  const folder = join(home, 'browser', version);
  const unpack = () => unpackBrowser(packed ?? assert.fail(), home);
  before(async () => {
    // An earlier try that was ended half-way.
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'chromium'), 'half');
    assert.equal(findUnpackedBrowser(home, version), undefined);
    await Promise.all([unpack(), unpack()]);
  });
  after(() => rmSync(home, { recursive: true }));

  test('is unpacked by version over what an ended process left, with libraries and fonts, once for two who ask', () => {
    const found = findUnpackedBrowser(home, version);
    assert.equal(found?.path, join(folder, 'chromium'));
    for (const path of [join(found.libraryFolder, 'libnss3.so'), join(found.fontsFolder, 'fonts.conf')]) assert.ok(existsSync(path), path);
    assert.deepEqual(readdirSync(join(home, 'browser')), [version]);
  });

  test('is not unpacked again', async () => {
    assert.deepEqual(await unpack(), findUnpackedBrowser(home, version));
  });

  test('that others may write is not started', { skip: process.platform !== 'linux' }, () => {
    chmodSync(join(folder, 'chromium'), 0o777);
    assert.equal(findUnpackedBrowser(home, version), undefined);
    chmodSync(join(folder, 'chromium'), 0o700);
    assert.notEqual(findUnpackedBrowser(home, version), undefined);
  });

  test('that is cut is not started, and is mended by the next unpacking', async () => {
    truncateSync(join(folder, 'chromium'), 1000);
    assert.equal(findUnpackedBrowser(home, version), undefined);
    await unpack();
    assert.notEqual(findUnpackedBrowser(home, version), undefined);
  });
});
