// Channels from the command line: what is secret comes from standard input, and what is made here is shown once.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import type { Channel, DeliveryTry } from '@weft/contract';
import { Webhook } from 'standardwebhooks';
import { freePorts } from '../conformance/program.ts';
import { serveReceiver } from '../sites/receiver.ts';
import type { Receiver } from '../sites/receiver.ts';
import { CHILD_ENV } from '../child-env.ts';

const WEFT = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');
const TOKEN = 'tk_Vr4qPz81LmNw';

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

suite('weft notify', { timeout: 600_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-notify-'));
  let env: Readonly<Record<string, string | undefined>>;
  let receiver: Receiver;
  const weft = async (input: string, ...args: string[]): Promise<Outcome> => {
    const child = spawn(process.execPath, [WEFT, 'notify', ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
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
    receiver = await serveReceiver(({ path }) => ({ status: path === '/gone' ? 500 : 200, body: 'thanks' }));
    env = { ...CHILD_ENV, HOME: home, SERVICE_HOME: home, SERVICE_PORT: String(await freePorts()) };
  });
  after(async () => {
    const child = spawn(process.execPath, [WEFT, 'daemon', 'stop'], { env, stdio: 'ignore' });
    await new Promise((resolve) => child.once('exit', resolve));
    await receiver[Symbol.asyncDispose]();
    rmSync(home, { recursive: true, force: true });
  });

  test('a webhook is made with a secret that is shown once, and signs with it', async () => {
    const added = await json<Channel & { secret: string }>('', 'add', 'webhook', 'deploys', '--url', receiver.url, '--level', 'warning');
    assert.deepEqual([added.id, added.name, added.level_min, added.secrets], [1, 'deploys', 'warning', ['secret']]);
    assert.match(added.secret, /^whsec_/);
    assert.equal((await json<DeliveryTry>('', 'test', '1')).outcome, 'sent');
    const [call] = receiver.calls;
    assert.ok(call);
    new Webhook(added.secret).verify(call.body, call.headers as Record<string, string>);
    assert.ok(!(await weft('', 'list', '1')).out.includes(added.secret.slice(6)));
    const { secret } = await json<{ secret: string }>('', 'rotate', '1');
    assert.equal((await weft('', 'test', '1')).code, 0);
    const [, rotated] = receiver.calls;
    assert.ok(rotated);
    for (const valid of [added.secret, secret]) new Webhook(valid).verify(rotated.body, rotated.headers as Record<string, string>);
  });

  test('a token is read from standard input and shown by nothing', async () => {
    const options = [
      '--server',
      receiver.origin,
      '--topic',
      'alerts',
      '--protected',
      '--quiet',
      '22:00-07:00',
      '--timezone',
      'UTC',
      '--drop',
    ];
    const added = await weft(`${TOKEN}\n`, 'add', 'ntfy', 'phone', ...options, '--body', '{{ event }}!', '--digest', '5', '--only-named');
    assert.equal(added.code, 0, added.err);
    const channel = await json<Channel>('', 'list', '2');
    assert.deepEqual(channel.quiet, { from: '22:00', to: '07:00', timezone: 'UTC', drop: true });
    assert.deepEqual([channel.templates, channel.digest_minutes, channel.default], [{ body: '{{ event }}!' }, 5, false]);
    assert.equal((await weft('', 'test', '2')).code, 0);
    const call = receiver.calls.at(-1);
    assert.equal(call?.headers.authorization, `Bearer ${TOKEN}`);
    assert.equal((JSON.parse(call.body) as { message: string }).message, 'notices.test!');
    assert.ok(!`${added.out}${added.err}${(await weft('', 'list', '--json')).out}`.includes(TOKEN));
  });

  test('what can not be is refused with what to do', async () => {
    for (const [args, said] of [
      [['add', 'webhook', '--url', 'http://example.com/'], /"to\.url" must be an https address/],
      [['add', 'desktop', '--url', 'https://a.test/'], /--url has no meaning for desktop/],
      [['add', 'pigeon'], /to\.kind.*webhook/],
      [['add', 'desktop', '--body', '{% nope %}'], /"templates\.body" can't be used: line 1, column 1/],
      [['add', 'desktop', '--quiet', 'at night'], /--quiet is "at night"/],
      [['add', 'desktop', '--drop'], /belong to --quiet/],
      [['add', 'slack'], /There is no address/],
      [['mute', '1', '--for', 'ever'], /--for is "ever"/],
      [['test', 'x'], /"x" is not the number of a channel/],
    ] as const) {
      const { code, err } = await weft('', ...args);
      assert.equal(code, 2, `${args.join(' ')}: ${err}`);
      assert.match(err, said);
    }
    assert.equal((await weft('', 'deliveries', '99')).code, 5);
    assert.equal((await weft('', 'redeliver', '99')).code, 5);
  });

  test('a channel is muted, switched off and on, and removed', async () => {
    assert.match((await weft('', 'mute', '1', '--for', '8h')).out, /silent until/);
    assert.match((await weft('', 'list')).out, /^1 +deploys +webhook +muted/m);
    assert.match((await weft('', 'mute', '1', '--off')).out, /speaks again/);
    assert.match((await weft('', 'disable', '1')).out, /Enabled +no/);
    assert.match((await weft('', 'enable', '1')).out, /Enabled +yes/);
    assert.match((await weft('', 'deliveries', '--channel', '1')).out, /^ID +CHANNEL .* TOLD \(UTC\) /);
    assert.equal((await weft('', 'remove', '1')).code, 0);
    assert.equal((await weft('', 'remove', '1')).code, 5);
  });

  test('a test that does not arrive says why, and ends with 3', async () => {
    await weft('', 'add', 'webhook', 'gone', '--url', `${receiver.origin}/gone`);
    const { code, out } = await weft('', 'test', '3');
    assert.equal(code, 3);
    assert.match(out, /failed \(500\)[^]*It answered: thanks/);
  });
});
