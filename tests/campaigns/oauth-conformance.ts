// The authorization suite of the Model Context Protocol's own conformance tests, with a person at a browser between.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { bringPackages } from '../../bench/apps/packages.ts';
import { SETTINGS } from '../../bench/src/settings.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { launchBrowser } from '../browser.ts';
import { freePorts } from '../conformance/program.ts';

export const needs = '@modelcontextprotocol/conformance from npm';

const VERSION = '0.2.0-alpha.12';

/** A round is the whole suite against an agent of its own. */
export async function campaign({ rounds, log }: CampaignOptions): Promise<void> {
  const folder = join(SETTINGS.appsFolder, 'mcp-conformance');
  mkdirSync(folder, { recursive: true });
  await bringPackages({ npm: { '@modelcontextprotocol/conformance': VERSION } }, SETTINGS.appsFolder, folder);
  for (let round = 0; round < rounds; round++) {
    await using agent = await startTestAgent();
    const port = await freePorts();
    const client = await register(agent, port);
    const program = join(folder, 'node_modules/.bin/conformance');
    const args = ['authorization', '--url', agent.baseUrl, '--client-id', client, '--port', String(port), '--resource', agent.baseUrl];
    const suite = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise<number | null>((resolve) => suite.once('exit', resolve));
    const lines: string[] = [];
    await Promise.all([suite.stdout, suite.stderr].map((stream) => follow(stream, agent, lines)));
    log(lines.join('\n'));
    assert.equal(await ended, 0, 'the suite does not pass');
  }
}

async function register({ baseUrl }: TestAgent, port: number): Promise<string> {
  const response = await fetch(`${baseUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Conformance', redirect_uris: [`http://127.0.0.1:${port}/callback`] }),
  });
  return ((await response.json()) as { client_id: string }).client_id;
}

/** Keeps what the suite says, and goes where it sends a person. */
async function follow(output: Readable, agent: TestAgent, lines: string[]): Promise<void> {
  for await (const line of createInterface({ input: output })) {
    lines.push(line);
    const url = /https?:\/\/\S*\/oauth\/authorize\?\S+/.exec(line)?.[0];
    if (url !== undefined) await approve(url, agent);
  }
}

async function approve(url: string, agent: TestAgent): Promise<void> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(url);
    await page.fill('#code', (await agent.client.oauth.approve()).code);
    await page.click('text=Let it in');
    await page.waitForURL('**/callback?*');
  } finally {
    await browser.close();
  }
}
