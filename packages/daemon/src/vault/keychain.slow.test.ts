// The Secret Service as it is: GNOME Keyring on a message bus of its own, where both are installed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { systemKeychain } from './keychain.ts';

const NEEDED = ['dbus-run-session', 'gnome-keyring-daemon', 'secret-tool'];
const missing = NEEDED.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);

/** Unlocks a keyring that nobody has used, then keeps, finds and forgets in it; what it finds comes out as JSON. */
const SCRIPT = `
printf keyring | gnome-keyring-daemon --unlock --components=secrets > /dev/null 2>&1
exec "$0" --input-type=module -e "
  import { systemKeychain } from '${new URL('./keychain.ts', import.meta.url).href}';
  const keychain = systemKeychain();
  const before = keychain.find('vault-1');
  const kept = [keychain.keep('vault-1', 'first'), keychain.keep('vault-1', 'second'), keychain.keep('vault-2', 'other')];
  const found = [keychain.find('vault-1'), keychain.find('vault-2'), keychain.find('vault-3')];
  keychain.forget('vault-1');
  console.log(JSON.stringify({ before, kept, found, after: keychain.find('vault-1'), left: keychain.find('vault-2') }));
"
`;

suite('the keychain of the system', () => {
  test('keeps, replaces, finds and forgets', { skip: missing.length > 0 && `needs ${missing.join(', ')}` }, () => {
    const home = mkdtempSync(join(tmpdir(), 'weft-keyring-'));
    try {
      const { stdout, stderr } = spawnSync('dbus-run-session', ['--', 'sh', '-c', SCRIPT, process.execPath], {
        env: { PATH: process.env['PATH'], HOME: home, XDG_RUNTIME_DIR: home },
        encoding: 'utf8',
        timeout: 60_000,
      });
      assert.notEqual(stdout, '', stderr);
      assert.deepEqual(JSON.parse(stdout), { kept: [true, true, true], found: ['second', 'other', null], left: 'other' });
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  test('is none where Weft knows none, and one that is not there keeps nothing', () => {
    assert.equal(systemKeychain('win32'), undefined);
    const other = systemKeychain(process.platform === 'darwin' ? 'linux' : 'darwin');
    assert.deepEqual([other?.keep('vault-1', 'text'), other?.find('vault-1')], [false, undefined]);
  });
});
