// OAuth 2.1 for programs on this machine (D18): what is refused, and what ends what. A whole flow with real clients: tests/e2e/oauth.test.ts.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { OAuthGrant } from '@weft/contract';
import type { KernelAgent } from './kernel.ts';
import { startKernelAgent } from './kernel.ts';
import type { TokenAnswer } from './oauth-flow.ts';
import {
  REDIRECT,
  approvalOf,
  authorizeCall,
  codeFor,
  decide,
  exchange,
  form,
  letIn,
  register,
  requestIdOf,
  tokenAnswer,
} from './oauth-flow.ts';
import { PAGE_URL, twoPages } from './ways.ts';

const works = async (agent: KernelAgent, token: string) => (await agent.call({ target: '/v1/agent', token })).status === 200;
const outcome = ({ status, body }: TokenAnswer) => [status, body.error];

/** Requests that lead to a page and never back to the program: it may not be who it says. */
const UNANSWERABLE: readonly (readonly [name: string, more: Readonly<Record<string, string | undefined>>, query?: string])[] = [
  ['an unknown program', { client_id: 'client_none' }],
  ['no program', { client_id: undefined }],
  ['another path', { redirect_uri: 'http://127.0.0.1:7000/callback/more' }],
  ['another query', { redirect_uri: 'http://127.0.0.1:7000/callback?more' }],
  ['another host', { redirect_uri: 'http://127.0.0.2:7000/callback' }],
  ['a host by name', { redirect_uri: 'http://localhost:7000/callback' }],
  ['another spelling of the host', { redirect_uri: 'http://127.1:7000/callback' }],
  ['https', { redirect_uri: 'https://127.0.0.1:7000/callback' }],
  ['a user name', { redirect_uri: 'http://me@127.0.0.1:7000/callback' }],
  ['a host behind a user name', { redirect_uri: 'http://127.0.0.1:7000@evil.test/callback' }],
  ['a fragment', { redirect_uri: 'http://127.0.0.1:7000/callback#x' }],
  ['two redirect addresses', {}, '&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcallback'],
  ['two programs', {}, '&client_id=client_none'],
];

/** Requests that the program is told of, with the error that it gets. */
const REFUSED: readonly (readonly [name: string, more: Readonly<Record<string, string | undefined>>, error: string])[] = [
  ['a token at once', { response_type: 'token' }, 'unsupported_response_type'],
  ['no response type', { response_type: undefined }, 'unsupported_response_type'],
  ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
  ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['a challenge without its method', { code_challenge_method: undefined }, 'invalid_request'],
  ['a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
  ['the scope admin', { scope: 'admin' }, 'invalid_scope'],
  ['two scopes', { scope: 'run admin' }, 'invalid_scope'],
  ['the resource of another port', { resource: 'http://127.0.0.1:8132' }, 'invalid_target'],
  ['a resource elsewhere', { resource: 'http://evil.test/' }, 'invalid_target'],
];

suite('a request to be let in', () => {
  for (const [name, more, query = ''] of UNANSWERABLE)
    test(`with ${name} leads nowhere`, async () => {
      await using agent = await startKernelAgent();
      const call = authorizeCall(await register(agent), more);
      const answer = await agent.call({ ...call, target: call.target + query });
      assert.deepEqual([answer.status, answer.headers.get('location')], [400, null]);
      assert.doesNotMatch(await answer.text(), /<form/);
    });

  for (const [name, more, error] of REFUSED)
    test(`for ${name} is refused to the program itself, with its state and the issuer`, async () => {
      await using agent = await startKernelAgent();
      const answer = await agent.call(authorizeCall(await register(agent), more));
      const to = new URL(answer.headers.get('location') ?? '');
      assert.equal(answer.status, 303);
      assert.equal(to.origin + to.pathname, REDIRECT);
      assert.deepEqual(
        ['error', 'state', 'iss', 'code'].map((part) => to.searchParams.get(part)),
        [error, 'a state & more', 'http://127.0.0.1:8131', null],
      );
    });

  test('A27 comes by a navigation from another site, and by no frame, script or form of one', async () => {
    await using agent = await startKernelAgent();
    const clientId = await register(agent);
    const from = (mode: string, dest: string) => ['Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Mode', mode, 'Sec-Fetch-Dest', dest];
    const statuses = [];
    for (const headers of [from('navigate', 'document'), from('navigate', 'iframe'), from('no-cors', 'image'), from('cors', 'empty')])
      statuses.push((await agent.call(authorizeCall(clientId, {}, headers))).status);
    assert.deepEqual(statuses, [200, 403, 403, 403]);
    const page = await agent.call(authorizeCall(clientId));
    assert.deepEqual(
      [page.headers.get('x-frame-options'), /frame-ancestors 'none'/.test(page.headers.get('content-security-policy') ?? '')],
      ['DENY', true],
    );
    const request = await requestIdOf(agent, authorizeCall(clientId));
    const decision = form('/oauth/authorize', { request, decision: 'deny' });
    for (const headers of [
      ['Sec-Fetch-Site', 'cross-site'],
      ['Origin', 'http://evil.test'],
      ['Origin', 'null'],
    ])
      assert.equal((await agent.call({ ...decision, headers: [...(decision.headers ?? []), ...headers] })).status, 403);
  });

  test('is shown with what the program says of itself as text', async () => {
    await using agent = await startKernelAgent();
    const text = await (await agent.call(authorizeCall(await register(agent, { client_name: '<script>alert(1)</script>"\'&' })))).text();
    assert.doesNotMatch(text, /<script/);
    assert.match(text, /&#60;script&#62;/);
  });
});

suite('a decision', () => {
  test('needs the code of the terminal, once; five wrong ones kill it', async () => {
    await using agent = await startKernelAgent();
    const clientId = await register(agent);
    const request = await requestIdOf(agent, authorizeCall(clientId));
    const code = await approvalOf(agent);
    for (let i = 0; i < 5; i++) assert.equal((await decide(agent, { request, code: `WRONG-${i}` })).status, 403);
    assert.equal((await decide(agent, { request, code })).status, 403);
    const next = await approvalOf(agent);
    assert.equal((await decide(agent, { request, code: ` ${next.toLowerCase()} ` })).status, 303);
    assert.equal((await decide(agent, { request, code: next })).status, 400);
    const again = await requestIdOf(agent, authorizeCall(clientId));
    assert.equal((await decide(agent, { request: again, code: next })).status, 403);
  });

  test('is worth nothing with a code that is old, or was replaced', async () => {
    await using agent = await startKernelAgent();
    const request = await requestIdOf(agent, authorizeCall(await register(agent)));
    const [first, second] = [await approvalOf(agent), await approvalOf(agent)];
    assert.equal((await decide(agent, { request, code: first })).status, 403);
    agent.clock.advance(300_000);
    assert.equal((await decide(agent, { request, code: second })).status, 403);
  });

  test('can be no, without any code', async () => {
    await using agent = await startKernelAgent();
    const request = await requestIdOf(agent, authorizeCall(await register(agent)));
    const to = new URL((await decide(agent, { request, decision: 'deny' })).headers.get('location') ?? '');
    assert.deepEqual([to.searchParams.get('error'), to.searchParams.get('state')], ['access_denied', 'a state & more']);
  });
});

suite('an authorization code', () => {
  test('is exchanged by its own program, with its own address, verifier and resource, and nothing is kept', async () => {
    await using agent = await startKernelAgent();
    const [clientId, other] = [await register(agent), await register(agent)];
    const code = await codeFor(agent, clientId);
    assert.deepEqual(outcome(await exchange(agent, other, code)), [400, 'invalid_grant']);
    assert.deepEqual(outcome(await exchange(agent, 'client_none', code)), [401, 'invalid_client']);
    assert.deepEqual(outcome(await exchange(agent, clientId, code, { redirect_uri: 'http://127.0.0.1:7001/callback' })), [
      400,
      'invalid_grant',
    ]);
    assert.deepEqual(outcome(await exchange(agent, clientId, code, { code_verifier: 'w'.repeat(43) })), [400, 'invalid_grant']);
    assert.deepEqual(outcome(await exchange(agent, clientId, code, { code_verifier: undefined })), [400, 'invalid_request']);
    assert.deepEqual(outcome(await exchange(agent, clientId, code, { resource: 'http://127.0.0.1:8131/mcp' })), [400, 'invalid_target']);
    assert.equal((await exchange(agent, clientId, code)).status, 200);
    const answer = await agent.call(form('/oauth/token', { grant_type: 'password', client_id: clientId }));
    assert.deepEqual([answer.status, answer.headers.get('cache-control')], [400, 'no-store']);
    assert.equal((await agent.call({ target: '/oauth/token' })).status, 405);
  });

  test('that comes a second time ends what the first had', async () => {
    await using agent = await startKernelAgent();
    const clientId = await register(agent);
    const code = await codeFor(agent, clientId);
    const { body } = await exchange(agent, clientId, code);
    assert.ok(await works(agent, body.access_token));
    assert.deepEqual(outcome(await exchange(agent, clientId, code)), [400, 'invalid_grant']);
    assert.ok(!(await works(agent, body.access_token)));
  });

  test('is good for a minute', async () => {
    await using agent = await startKernelAgent();
    const clientId = await register(agent);
    const code = await codeFor(agent, clientId);
    agent.clock.advance(60_000);
    assert.deepEqual(outcome(await exchange(agent, clientId, code)), [400, 'invalid_grant']);
  });
});

suite('a token', () => {
  test('runs, and neither reads what others ran nor changes anything', async () => {
    await using agent = await startKernelAgent({ fetcher: twoPages() });
    const { access_token: token } = await letIn(agent);
    const mine = await agent.call({ method: 'POST', target: '/v1/crawl', token, body: { url: PAGE_URL, limit: 1, wait: true } });
    const { body: others } = await agent.json('POST', '/v1/crawl', { url: PAGE_URL, limit: 1, wait: true });
    const { id } = (await mine.json()) as { id: number };
    const statuses = [];
    for (const target of [`/v1/runs/${id}`, `/v1/runs/${(others as { id: number }).id}`, '/v1/keys', '/x/oauth/grants', '/v1/datasets'])
      statuses.push((await agent.call({ target, token })).status);
    assert.deepEqual([mine.status, ...statuses], [200, 200, 404, 403, 403, 403]);
  });

  test('lasts an hour and is renewed; the runs belong to the grant', async () => {
    await using agent = await startKernelAgent({ fetcher: twoPages() });
    const { clientId, access_token: token, refresh_token } = await letIn(agent);
    const crawl = await agent.call({ method: 'POST', target: '/v1/crawl', token, body: { url: PAGE_URL, limit: 1, wait: true } });
    const { id } = (await crawl.json()) as { id: number };
    agent.clock.advance(3_600_000);
    assert.ok(!(await works(agent, token)));
    const { body } = await tokenAnswer(agent, { grant_type: 'refresh_token', client_id: clientId, refresh_token });
    assert.equal((await agent.call({ target: `/v1/runs/${id}`, token: body.access_token })).status, 200);
  });

  test('to renew with that was used before ends the whole grant', async () => {
    await using agent = await startKernelAgent();
    const { clientId, refresh_token } = await letIn(agent);
    const renew = (token: string, client = clientId) =>
      tokenAnswer(agent, { grant_type: 'refresh_token', client_id: client, refresh_token: token });
    assert.deepEqual(outcome(await renew(refresh_token, await register(agent))), [400, 'invalid_grant']);
    const { body } = await renew(refresh_token);
    assert.ok(await works(agent, body.access_token));
    assert.deepEqual(outcome(await renew(refresh_token)), [400, 'invalid_grant']);
    assert.ok(!(await works(agent, body.access_token)));
    assert.deepEqual(outcome(await renew(body.refresh_token)), [400, 'invalid_grant']);
  });

  test('works at the address that it was given for alone', async () => {
    await using agent = await startKernelAgent();
    const { access_token } = await letIn(agent);
    const twin = { host: '127.0.0.1:8132', origin: 'https://127.0.0.1:8132' };
    const call = { target: '/v1/agent', token: access_token };
    assert.deepEqual([(await agent.call(call)).status, (await agent.call({ ...call, own: twin })).status], [200, 401]);
  });

  test('is given back alone, or with its grant; an unknown one is answered as well', async () => {
    await using agent = await startKernelAgent();
    const { access_token, refresh_token, clientId } = await letIn(agent);
    const revoke = async (token: string) => (await agent.call(form('/oauth/revoke', { token }))).status;
    assert.deepEqual([await revoke('wlo_none'), await revoke(access_token), await works(agent, access_token)], [200, 200, false]);
    const { body } = await tokenAnswer(agent, { grant_type: 'refresh_token', client_id: clientId, refresh_token });
    assert.deepEqual([await revoke(body.refresh_token), await works(agent, body.access_token)], [200, false]);
  });

  test('is explained to the runtime token alone', async () => {
    await using agent = await startKernelAgent();
    const { access_token } = await letIn(agent);
    const ask = (asked: string, token?: string) => agent.call({ ...form('/oauth/introspect', { token: asked }), token });
    assert.deepEqual([(await ask(access_token)).status, (await ask(access_token, access_token)).status], [401, 401]);
    const known = (await (await ask(access_token, agent.token)).json()) as Record<string, unknown>;
    assert.deepEqual([known['active'], known['scope'], known['aud']], [true, 'run', 'http://127.0.0.1:8131']);
    assert.deepEqual(await (await ask('wlo_none', agent.token)).json(), { active: false });
  });

  test('ends with its grant, and is told of nowhere', async () => {
    await using agent = await startKernelAgent();
    const { access_token } = await letIn(agent);
    const { body } = await agent.json('GET', '/x/oauth/grants');
    const [grant] = (body as { data: OAuthGrant[] }).data;
    assert.equal(grant?.client_name, 'Planner');
    assert.ok(!JSON.stringify(body).includes(access_token.slice(4, 30)));
    await agent.json('DELETE', `/x/oauth/grants/${grant.id}`);
    assert.ok(!(await works(agent, access_token)));
  });
});

suite('a program that registers', () => {
  test('is refused with addresses that are not on this machine, and with what is not offered', async () => {
    await using agent = await startKernelAgent();
    const errors = [];
    for (const metadata of [
      { redirect_uris: ['https://evil.test/callback'] },
      { redirect_uris: ['http://localhost/callback'] },
      { redirect_uris: ['myapp:/callback'] },
      { redirect_uris: ['http://127.0.0.1/callback#x'] },
      { redirect_uris: [] },
      { redirect_uris: ['http://127.0.0.1/'], token_endpoint_auth_method: 'client_secret_basic' },
      { redirect_uris: ['http://127.0.0.1/'], scope: 'admin' },
    ]) {
      const answer = await agent.call({ method: 'POST', target: '/oauth/register', body: metadata });
      errors.push([answer.status, ((await answer.json()) as { error: string }).error]);
    }
    const [uri, other] = [
      [400, 'invalid_redirect_uri'],
      [400, 'invalid_client_metadata'],
    ];
    assert.deepEqual(errors, [uri, uri, uri, uri, other, other, other]);
  });

  test('is one of ten an hour and twenty in all; one that nobody let in is forgotten after a day', async () => {
    await using agent = await startKernelAgent();
    const first = await letIn(agent);
    for (let i = 1; i < 10; i++) assert.ok(await register(agent));
    assert.equal(await register(agent), undefined);
    agent.clock.advance(3_600_001);
    for (let i = 0; i < 10; i++) assert.ok(await register(agent));
    agent.clock.advance(3_600_001);
    assert.equal(await register(agent), undefined);
    agent.clock.advance(86_400_000);
    for (let i = 0; i < 10; i++) assert.ok(await register(agent));
    const renewed = await tokenAnswer(agent, {
      grant_type: 'refresh_token',
      client_id: first.clientId,
      refresh_token: first.refresh_token,
    });
    assert.equal(renewed.status, 200);
  });
});
