// Vault, secrets and personas from the command line: values come from standard input or from a terminal that does not show them.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import type { Persona, Secret, VaultStatus } from '@weft/contract';
import { freePorts } from '../conformance/program.ts';
import { MEMBER, startMembersSite } from '../sites/members-site.ts';
import { CHILD_ENV } from '../child-env.ts';

const WEFT = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');
const PASSPHRASE = 'correct horse battery';
/** Gives a program a terminal of its own (util-linux). */
const hasScript = spawnSync('script', ['--version']).status === 0;

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

suite('weft vault, secret and persona', { timeout: 600_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-identity-'));
  let env: Readonly<Record<string, string | undefined>>;
  const weft = async (input: string, ...args: string[]): Promise<Outcome> => {
    const child = spawn(process.execPath, [WEFT, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.end(input);
    const [out, err, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve) => child.once('exit', resolve)),
    ]);
    return { code, out, err };
  };
  const json = async <Body>(input: string, ...args: string[]): Promise<Body> => {
    const { code, out, err } = await weft(input, ...args, '--json');
    assert.equal(code, 0, `${out}${err}`);
    return JSON.parse(out) as Body;
  };
  before(async () => {
    env = { ...CHILD_ENV, HOME: home, SERVICE_HOME: home, SERVICE_PORT: String(await freePorts()) };
    assert.equal((await weft('', 'daemon', 'start')).code, 0);
  });
  after(async () => {
    await weft('', 'daemon', 'stop');
    rmSync(home, { recursive: true, force: true });
  });

  test('a secret is set from standard input, less the line break at its end, and shown without its value', async () => {
    const set = await weft('hunter2\n', 'secret', 'set', 'api', '--origin', 'https://a.test', '--origin', 'https://b.test');
    assert.deepEqual([set.code, set.out], [0, 'Secret api is kept.\n'], set.err);
    assert.deepEqual((await json<Secret>('', 'secret', 'show', 'api')).origins, ['https://a.test', 'https://b.test']);
    const { out } = await weft('', 'secret', 'list');
    assert.match(out, /^KEY .*\napi .*https:\/\/a\.test https:\/\/b\.test\n$/);
    assert.equal((await weft('', 'secret', 'set', 'api')).code, 2, 'nothing on standard input');
    assert.match((await weft('x', 'secret', 'set', 'free')).err, /sent nowhere until it has an origin/);
    assert.equal((await weft('', 'secret', 'delete', 'free')).code, 0);
    assert.match((await weft('', 'secret', 'show', 'free')).err, /There is no secret "free"[^]*Try: {3}weft secret list/);
  });

  test('a persona takes its values one a line, in the order in which they are named', async () => {
    const added = await json<Persona>(
      'alice\nhunter2\n4711\n',
      'persona',
      'add',
      'shop',
      '--origin',
      'https://a.test',
      '--values',
      'username,password,customer',
    );
    assert.deepEqual([added.has_username, added.has_password, added.fields], [true, true, ['customer']]);
    const id = String(added.id);
    assert.match((await weft('alice\n', 'persona', 'set', id, '--values', 'username,password')).err, /must hold 2 lines/);
    assert.equal((await json<Persona>('', 'persona', 'set', id, '--locale', 'de-DE')).locale, 'de-DE');
    assert.match((await weft('JBSWY3DPEHPK3PX0', 'persona', 'totp', id)).err, /This is no TOTP seed: Character 16 .*0, 1, 8 and 9/);
    assert.match((await weft('jbsw y3dp ehpk 3pxp', 'persona', 'totp', id)).out, /Persona 1 has a seed: SHA1, 6 digits, 30 seconds\./);
    const shown = (await weft('', 'persona', 'show', id)).out;
    assert.match(shown, /Set +username, password, totp_seed, customer/);
    assert.match((await weft('', 'persona', 'list')).out, /1 +shop +totp/);
    assert.equal((await weft('', 'persona', 'delete', id)).code, 0);
    assert.equal((await weft('', 'persona', 'show', id)).code, 5);
  });

  test('a vault gets a passphrase, is locked, waited for, opened, changed and turned', async () => {
    assert.match(
      (await weft('', 'vault', 'status')).out,
      /State +open\nOpened by +a key file in the home\n[^]*whoever can read the home can/,
    );
    assert.equal((await weft('short', 'vault', 'init')).code, 2);
    assert.match((await weft(PASSPHRASE, 'vault', 'init')).out, /this passphrase opens the vault, and nothing else does/);
    assert.equal((await weft(PASSPHRASE, 'vault', 'init')).code, 8);
    assert.equal((await weft('', 'vault', 'lock')).code, 0);
    assert.match((await weft('', 'status')).out, /Vault +locked: weft vault unlock/);
    const refused = await weft('x', 'secret', 'set', 'other');
    assert.equal(refused.code, 7);
    assert.match(refused.err, /The vault is locked[^]*Cause: vault_locked \(423\)\nTry: {3}weft vault unlock/);
    assert.equal((await weft('wrong', 'vault', 'unlock')).code, 7);
    assert.equal((await weft(PASSPHRASE, 'vault', 'unlock')).code, 0);
    assert.equal((await weft(`${PASSPHRASE}\nanother passphrase\n`, 'vault', 'passwd')).code, 0);
    assert.equal((await weft(PASSPHRASE, 'vault', 'rotate')).code, 7);
    assert.equal((await json<VaultStatus>('another passphrase', 'vault', 'rotate')).reseal_pending, 0);
    assert.match((await weft('', 'status')).out, /Vault +open/);
  });

  test('a value that is typed at a terminal is not shown', { skip: !hasScript && 'needs script of util-linux' }, async () => {
    const command = `'${process.execPath}' '${WEFT}' secret set typed --origin https://a.test`;
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    let shown = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      shown += piece;
      // What is typed before the question would be shown by the terminal itself.
      if (shown.includes('it is not shown') && !child.stdin.writableEnded) child.stdin.end('hunter2typed\r');
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    assert.equal(code, 0, shown);
    assert.match(shown, /value of typed \(it is not shown\)/);
    assert.ok(!shown.includes('hunter2typed'), shown);
    assert.deepEqual((await json<Secret>('', 'secret', 'show', 'typed')).origins, ['https://a.test']);
  });

  test('the login of a persona is tested, and its session goes to a file that nobody else reads, and to another persona', async () => {
    const site = await startMembersSite({ asks: 'nothing' });
    try {
      const values = ['--values', 'username,password'];
      const given = `${MEMBER.username}\n${MEMBER.password}\n`;
      const { id } = await json<Persona>(given, 'persona', 'add', 'member', '--origin', site.origin, ...values);
      const success = { page: { selectors: ['#hello'] }, op: 'exists' };
      const steps = [{ id: 'in', type: 'login', url: `${site.origin}/members`, success }];
      await json(JSON.stringify({ name: 'Club', slug: 'club', persona_id: id, steps }), 'workflow', 'create', '-');
      const tested = await weft('', 'persona', 'test-2fa', String(id), '--workflow', 'club');
      assert.deepEqual([tested.code, /Logged in +yes\nCode +not asked for/.test(tested.out)], [0, true], tested.out + tested.err);
      assert.match((await weft('', 'persona', 'export', String(id))).err, /has no session yet/);
      assert.equal((await weft('', 'run', 'club')).code, 0);
      const file = join(home, 'state.json');
      assert.equal((await weft('', 'persona', 'export', String(id), '-o', file)).code, 0);
      assert.equal(statSync(file).mode & 0o777, 0o600);
      const members = `${site.origin}/members`;
      const wrong = await weft(`${MEMBER.username}\nwrong\n`, 'persona', 'add', 'wrong', '--origin', site.origin, ...values);
      assert.match(wrong.err, /Try: +weft persona login wrong http/);
      const refused = await weft('', 'persona', 'login', 'wrong', members);
      assert.deepEqual([refused.code, /did not work/.test(refused.err)], [3, true], refused.err);
      assert.match(refused.err, /Try: +weft persona login wrong http\S+ --shows <css>/);
      await weft(given, 'persona', 'add', 'second', '--origin', site.origin, ...values);
      const shows = ['--shows', '#hello'];
      assert.match((await weft('', 'persona', 'login', 'second', members, ...shows)).out, /^second is logged in at http/);
      assert.match((await weft('', 'scrape', members, '--persona', 'second')).out, /Hello, Grace/);
      assert.equal((await weft('', 'persona', 'login', 'second', members, ...shows)).code, 0);
      assert.doesNotMatch((await weft('', 'workflow', 'list')).out, /Log in wrong/);
      const twin = await json<Persona>('', 'persona', 'add', 'twin', '--origin', site.origin);
      assert.match((await weft('', 'persona', 'import', String(twin.id), file)).out, /has a session, its version 1/);
      const scraped = await weft('', 'scrape', `${site.origin}/members/2`, '--persona', String(twin.id));
      assert.match(scraped.out, /Hello, Grace/, scraped.err);
    } finally {
      await site.close();
    }
  });
});
