import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reply, startRawServer } from '../../../../../tests/sites/raw-server.ts';
import { createAddressGate } from '../gate/gate.ts';
import { createHttpFetcher } from './fetcher.ts';

const VARIABLES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy', 'NODE_USE_ENV_PROXY'];

test('S18 proxy variables of the environment are ignored', async (t) => {
  const proxy = await startRawServer(() => reply({ body: 'from the proxy' }));
  const site = await startRawServer({ '/': reply({ body: 'from the site' }) });
  const before = VARIABLES.map((name) => [name, process.env[name]] as const);
  for (const name of VARIABLES) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : proxy.origin;
  const fetcher = createHttpFetcher({ gate: createAddressGate({ mode: 'agent' }) });
  t.after(async () => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    await fetcher.close();
    await Promise.all([proxy.close(), site.close()]);
  });
  const page = await fetcher.fetch({ url: site.origin, privateTargets: [`127.0.0.1:${site.port}`] }, AbortSignal.timeout(600_000));
  assert.equal(new TextDecoder().decode(page.body), 'from the site');
  assert.equal(proxy.connectionCount(), 0);
});
