// The whole way of a program that is let in (D18): two clients that nobody here wrote, a person at a real browser, the code of the terminal.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import type { Browser } from 'playwright-core';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { launchBrowser } from '../browser.ts';

/** A loopback listener is plain http, which both libraries want to be told. */
const PLAIN = { [oauth.allowInsecureRequests]: true };

suite('a program that is let in by a person', { timeout: 600_000 }, () => {
  let agent: TestAgent;
  let browser: Browser;
  let program: Server;
  let redirectUri: string;

  before(async () => {
    [agent, browser] = await Promise.all([startTestAgent(), launchBrowser()]);
    program = createServer((_request, response) => response.end('You can close this page.'));
    await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
    redirectUri = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`;
  });
  after(async () => {
    await browser.close();
    program.closeAllConnections();
    program.close();
    await once(program, 'close');
    await agent[Symbol.asyncDispose]();
  });

  /** A person follows the link from another site, types a wrong code, then the right one; where the browser ends. */
  async function approve(url: URL): Promise<URL> {
    const page = await browser.newPage();
    try {
      await page.goto(`data:text/html,<a href="${url.href.replaceAll('&', '%26amp;')}">let me in</a>`);
      await page.click('a');
      await page.fill('#code', 'WRONG');
      await page.click('text=Let it in');
      assert.match(await page.innerText('[role=alert]'), /not good/);
      await page.fill('#code', (await agent.client.oauth.approve()).code);
      await page.click('text=Let it in');
      await page.waitForURL(`${redirectUri}?*`);
      return new URL(page.url());
    } finally {
      await page.close();
    }
  }

  test('with oauth4webapi: discovery, registration, code, call, renewal, end', async () => {
    const issuer = new URL(agent.baseUrl);
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...PLAIN });
    const server = await oauth.processDiscoveryResponse(issuer, found);
    const resource = await oauth.resourceDiscoveryRequest(issuer, PLAIN);
    assert.deepEqual((await oauth.processResourceDiscoveryResponse(issuer, resource)).authorization_servers, [agent.baseUrl]);
    const registered = await oauth.dynamicClientRegistrationRequest(
      server,
      { client_name: 'Planner', redirect_uris: [redirectUri] },
      PLAIN,
    );
    const client = await oauth.processDynamicClientRegistrationResponse(registered);

    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const url = new URL(server.authorization_endpoint ?? '');
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: redirectUri,
      scope: 'run',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    const answer = oauth.validateAuthResponse(server, client, await approve(url), state);
    const exchanged = await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), answer, redirectUri, verifier, PLAIN);
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged);
    assert.deepEqual([tokens.scope, tokens.expires_in], ['run', 3600]);

    const call = (token: string) => oauth.protectedResourceRequest(token, 'GET', new URL('/v1/agent', issuer), undefined, undefined, PLAIN);
    assert.equal((await call(tokens.access_token)).status, 200);
    const renewed = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token ?? '', PLAIN);
    const fresh = await oauth.processRefreshTokenResponse(server, client, renewed);
    assert.equal((await call(fresh.access_token)).status, 200);
    const ended = await oauth.revocationRequest(server, client, oauth.None(), fresh.refresh_token ?? '', PLAIN);
    await oauth.processRevocationResponse(ended);
    await assert.rejects(async () => await call(fresh.access_token), oauth.WWWAuthenticateChallengeError);
  });

  test('with openid-client', async () => {
    const config = await openid.dynamicClientRegistration(
      new URL(agent.baseUrl),
      { client_name: 'Reader', redirect_uris: [redirectUri] },
      openid.None(),
      { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
    );
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const expectedState = openid.randomState();
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'run',
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      resource: agent.baseUrl,
    });
    const tokens = await openid.authorizationCodeGrant(config, await approve(url), { pkceCodeVerifier, expectedState });
    const answer = await openid.fetchProtectedResource(config, tokens.access_token, new URL('/v1/agent', agent.baseUrl), 'GET');
    assert.equal(answer.status, 200);
    const grants = await agent.client.oauth.grants({});
    assert.equal(grants.data[0]?.client_name, 'Reader');
  });
});
