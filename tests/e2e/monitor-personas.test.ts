// Checks as a persona: what a site echoes of its values is in nothing that a check keeps, shows or tells (D34).
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { monitorStage } from '../monitor-stage.ts';
import type { MonitorStage } from '../monitor-stage.ts';
import { SECRET } from '../noticing.ts';
import { serveReceiver } from '../sites/receiver.ts';

const PASSWORD = 'Zwölf-Boxkämpfer-4711';
const PIN = 'quince&marmalade';

const page = (price: number, said: string) =>
  `<!doctype html><title>Account ${said}</title><main><h1>Account of grace</h1><p class="price">$${price}</p><p class="said">You said ${said}</p></main>`;

suite('a monitor that looks as a persona', { timeout: 600_000 }, () => {
  test('says that it is not logged in, and which command does that', async () => {
    await using stage = await monitorStage();
    const { client } = stage.agent;
    const { id: persona_id } = await client.personas.create({
      name: 'Ada',
      origins: [new URL(stage.url).origin],
      username: 'ada',
      password: PASSWORD,
    });
    const id = await stage.watch({ persona_id, lane: 'http' });
    stage.show({
      body: '<title>Log in</title><h1>Log in</h1><p>Please log in to see this page.</p><form method=post><input name=user><input type=password name=pass></form>',
      type: 'text/html',
    });
    await stage.check(id);
    const { state } = await client.monitors.read({ id });
    assert.match(
      state.message ?? '',
      new RegExp(`asks to log in; persona ${persona_id} is not logged in there: .*weft persona login ${persona_id} ${stage.url}`),
    );
  });

  test('keeps, shows and tells nothing of the values that its page echoes', async () => {
    await using stage = await monitorStage();
    await using receiver = await serveReceiver(() => ({ status: 200 }));
    const { client } = stage.agent;
    const { id: persona_id } = await client.personas.create({
      name: 'Grace',
      origins: [new URL(stage.url).origin],
      username: 'grace',
      password: PASSWORD,
      fields: { pin: PIN },
    });
    await client.notices.createChannel({ name: 'hook', to: { kind: 'webhook', url: receiver.url }, secrets: { secret: SECRET } });
    const selectors = [
      { selector: '.said' },
      { selector: '.price', extractors: [{ type: 'price' }] },
      { selector: 'main', extractors: [{ type: 'html' }] },
    ];
    const id = await stage.watch({ persona_id, lane: 'http', selectors });
    const whole = await stage.watch({ persona_id, lane: 'http', name: 'whole' });
    for (const monitor of [id, whole])
      await stage.see(
        monitor,
        page(1, 'nothing'),
        page(2, PASSWORD),
        page(3, encodeURIComponent(PASSWORD)),
        page(4, PIN.replace('&', '&amp;')),
        page(5, Buffer.from(PIN).toString('base64')),
      );
    stage.show({ body: JSON.stringify({ password: PASSWORD, price: 6 }), type: 'application/json' });
    await stage.check(whole);
    const shown = await everythingShown(stage, [id, whole]);
    assert.ok(shown.includes('You said [masked]'));
    assert.ok(shown.includes('Account of grace'), 'sites say by the name who did what');
    const kept = [...filesBelow(stage.agent.home)].map((path) => readFileSync(path)).concat(Buffer.from(shown));
    const told = receiver.calls.map(({ body }) => body).join('\n');
    assert.ok(told.includes('[masked]'));
    for (const value of [
      PASSWORD,
      encodeURIComponent(PASSWORD),
      PIN,
      PIN.replace('&', '&amp;'),
      Buffer.from(PIN).toString('base64').slice(0, 16),
    ])
      for (const bytes of [...kept, Buffer.from(told)]) assert.equal(bytes.includes(value), false, value);
  });

  test('is told in sentences without them where its page leads to an address that holds one', async () => {
    await using stage = await monitorStage();
    const { id: persona_id } = await stage.agent.client.personas.create({
      name: 'Grace',
      origins: [new URL(stage.url).origin],
      password: PASSWORD,
    });
    const id = await stage.watch({ persona_id, lane: 'http', trouble: { after: 1 } });
    stage.show({ body: '', status: 302, headers: { location: `/gone?as=${encodeURIComponent(PASSWORD)}` } });
    const run = await stage.check(id);
    assert.equal(run.status, 'failed');
    const shown = await everythingShown(stage, [id]);
    assert.ok(shown.includes('gone?as=[masked] answered 404'));
    assert.ok(!shown.includes(encodeURIComponent(PASSWORD)));
  });
});

/** What the agent answers of its monitors, all in one text. */
async function everythingShown(stage: MonitorStage, ids: readonly number[]): Promise<string> {
  const paths = ids.flatMap((id) => [
    `/v1/monitors/${id}`,
    `/x/monitors/${id}/checks`,
    `/v1/monitors/${id}/changes`,
    `/x/monitors/${id}/snapshots`,
    `/x/monitors/${id}/atom`,
  ]);
  const answers = await Promise.all(
    ['/v1/changes/recent', '/v1/runs', '/x/notices/deliveries', ...paths].map(async (path) => await stage.get(path)),
  );
  return (await Promise.all(answers.map(async (answer) => await answer.text()))).join('\n');
}

function* filesBelow(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* filesBelow(path);
    else if (statSync(path).isFile()) yield path;
  }
}
