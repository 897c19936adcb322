// Secrets in what a monitor sends: named where it is written down, put in for their own origin, and kept nowhere (D34).
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import type { Monitor, Run } from '@weft/contract';
import { startTestAgent } from '../agent.ts';
import { serveOnLoopback } from '../sites/on-loopback.ts';

const TOKEN = 'tk-4711-nobody-knows';

/** A page that says what it was sent, and one that leads to `elsewhere`. */
async function startEcho(elsewhere: () => string) {
  const sent: string[] = [];
  const site = await serveOnLoopback(async (request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    const said = `${request.headers.authorization ?? 'nothing'} ${await text(request)}`;
    sent.push(`${request.url} ${said}`);
    if (request.url === '/away') return void response.writeHead(302, { location: elsewhere() }).end();
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Echo</title><main><p>You sent ${said}</p></main>`);
  });
  return Object.assign(site, { sent });
}

suite('secrets in what a monitor sends', { timeout: 600_000 }, () => {
  test('go to their origin alone, and what echoes them is masked', async () => {
    await using other = await startEcho(() => '/');
    await using site = await startEcho(() => `${other.origin}/caught`);
    await using agent = await startTestAgent();
    const { client } = agent;
    await client.secrets.create({ key: 'api', value: TOKEN, origins: [site.origin] });
    const headers = { authorization: 'Bearer {{secret:api}}' };
    const sending = { method: 'POST', headers, body: '{"token":"{{ secret:api }}"}', active: false } as const;
    const { id } = await client.monitors.create({ url: `${site.origin}/page`, ...sending });
    const check = async (monitor: number) => (await client.monitors.run({ id: monitor, wait: true })) as Run;
    assert.equal((await check(id)).status, 'succeeded');
    assert.deepEqual(site.sent, [`/page Bearer ${TOKEN} {"token":"${TOKEN}"}`]);
    const read = (await client.monitors.read({ id })) as Monitor;
    assert.deepEqual(read.headers, headers);
    assert.equal(read.values[0]?.text, 'You sent Bearer [masked] {"token":"[masked]"}');
    const away = await client.monitors.create({ url: `${site.origin}/away`, ...sending });
    assert.equal((await check(away.id)).status, 'failed');
    assert.deepEqual(other.sent, []);
    for (const name of readdirSync(agent.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()))
      assert.ok(!readFileSync(join(name.parentPath, name.name)).includes(TOKEN), name.name);
  });

  test('are refused where they are for another origin, not there, or written in a way that would be sent as it is', async () => {
    await using agent = await startTestAgent();
    const { client } = agent;
    const url = 'http://127.0.0.1:9/page';
    await client.secrets.create({ key: 'api', value: TOKEN, origins: ['https://api.example'] });
    const make = (value: string) => client.monitors.create({ url, active: false, headers: { authorization: value } });
    await assert.rejects(make('{{secret:api}}'), {
      status: 400,
      message: /"api" is not for http:\/\/127\.0\.0\.1:9; it is for https:\/\/api\.example/,
    });
    await assert.rejects(make('{{secret:other}}'), { status: 404, message: /no secret "other"/ });
    await assert.rejects(make('{{secret api}}'), { status: 400, message: /"headers\.authorization" names a secret in a way that is none/ });
    const settings = { name: 'api', headers: { authorization: '{{secret}}' } };
    await assert.rejects(client.monitorTags.put(settings), { status: 400, message: /names a secret in a way that is none/ });
    assert.equal((await make('{{ anything else }}')).headers?.['authorization'], '{{ anything else }}');
  });

  test('that are gone, or bound elsewhere by now, are trouble that says so, and nothing is sent', async () => {
    await using site = await startEcho(() => '/');
    await using agent = await startTestAgent();
    const { client } = agent;
    await client.secrets.create({ key: 'api', value: TOKEN, origins: [site.origin] });
    const { id } = await client.monitors.create({
      url: `${site.origin}/page`,
      active: false,
      headers: { authorization: '{{secret:api}}' },
    });
    await client.secrets.create({ key: 'api', value: TOKEN, origins: ['https://api.example'] });
    const failureOf = async () => ((await client.monitors.run({ id, wait: true })) as Run).failure;
    assert.match((await failureOf())?.message ?? '', /"api" is not for/);
    await client.secrets.delete({ key: 'api' });
    assert.match((await failureOf())?.message ?? '', /There is no secret "api"/);
    assert.deepEqual(site.sent, []);
  });
});
