// Automations from the command line.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import type { Automation } from '@weft/contract';
import { freePorts } from '../conformance/program.ts';
import { CHILD_ENV } from '../child-env.ts';

const WEFT = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');
const SAY = {
  name: 'Say',
  triggers: [{ type: 'call' }],
  conditions: [{ value: '{{trigger.payload}}', op: 'gt', with: 1 }],
  actions: [{ type: 'notify', body: 'Said.' }],
};

suite('weft automation', { timeout: 600_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-automation-'));
  let env: Readonly<Record<string, string | undefined>>;
  const weft = async (input: string, ...args: string[]) => {
    const child = spawn(process.execPath, [WEFT, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.end(input);
    const [out, err, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve) => child.once('exit', resolve)),
    ]);
    return { code, out, err };
  };
  const told = async (input: string, ...args: string[]): Promise<string> => {
    const { code, out, err } = await weft(input, 'automation', ...args);
    assert.equal(code, 0, `${out}${err}`);
    return out;
  };
  before(async () => void (env = { ...CHILD_ENV, HOME: home, SERVICE_HOME: home, SERVICE_PORT: String(await freePorts()) }));
  after(async () => {
    await weft('', 'daemon', 'stop');
    rmSync(home, { recursive: true, force: true });
  });

  test('one is added, run, looked into, switched off and on, and removed', async () => {
    const { id } = JSON.parse(await told(JSON.stringify(SAY), 'add', '-', '--json')) as Automation;
    assert.match(await told('', 'list'), /ID.*NAME.*STATE[\s\S]*Say\s+on\s+call/);
    assert.match(
      await told('', 'run', String(id), '--payload', '2'),
      /Outcome\s+done[\s\S]*Condition 0\s+holds[\s\S]*Action 0\s+notify done/,
    );
    assert.match(await told('', 'disable', String(id)), /State\s+off/);
    assert.match(
      await told('', 'run', String(id), '--payload', '1'),
      /Outcome\s+conditions, though it is disabled[\s\S]*notify not reached/,
    );
    assert.match(await told('', 'trace', String(id)), /Trigger\s+call at .*: It was called/);
    assert.match(await told('', 'enable', String(id)), /State\s+on/);
    assert.match(await told('', 'show', String(id)), /Mode\s+single/);
    assert.match(await told('', 'remove', String(id)), /is deleted/);
    const gone = await weft('', 'automation', 'show', String(id));
    assert.notEqual(gone.code, 0);
    assert.match(gone.err, /weft automation list/);
    const odd = await weft('', 'automation', 'run', '1', '--payload', '{');
    assert.match(odd.err, /--payload is no JSON/);
  });
});
