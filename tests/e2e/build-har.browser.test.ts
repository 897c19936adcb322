// `weft api build --har`: what a browser has recorded of a site that scripts fill becomes a function that needs no browser.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { promisify } from 'node:util';
import type { BuildView } from '@weft/contract';
import { startTestAgent } from '../agent.ts';
import { launchBrowser } from '../browser.ts';
import { goodsFor, startXhr } from '../sites/api-sites.ts';

const CLI = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');

/** What Playwright writes of two searches on the page at `url`. */
async function recordHar(url: string, path: string): Promise<void> {
  const browser = await launchBrowser();
  const context = await browser.newContext({ recordHar: { path, content: 'embed' } });
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  for (const word of ['lamp', 'walnut']) {
    const answered = page.waitForResponse((response) => response.url().includes(`q=${word}`));
    await page.fill('input[name=q]', word);
    await page.press('input[name=q]', 'Enter');
    await (await answered).finished();
  }
  await context.close();
  await browser.close();
}

suite('a build from a HAR', { timeout: 600_000 }, () => {
  test('what Playwright recorded is evidence: the search is proved over HTTP, and gives rows for other words', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-har-'));
    await using site = await startXhr();
    await using agent = await startTestAgent();
    try {
      const har = join(folder, 'site.har');
      await recordHar(`${site.origin}/`, har);
      const args = [CLI, 'api', 'build', `${site.origin}/`, '--objective', 'search goods by name', '--har', har, '--json'];
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        env: { ...process.env, SERVICE_HOME: agent.home },
        maxBuffer: 50_000_000,
      });
      // What `--json` writes is the view.
      const built = JSON.parse(stdout) as BuildView;
      const search = built.functions?.find(({ kind, state }) => kind === 'search' && state === 'proved');
      assert.deepEqual(
        [built.status, built.rung, search?.lane],
        ['proved', 'static', 'http'],
        JSON.stringify(built.functions?.map(({ reason }) => reason)),
      );
      const [input = ''] = Object.keys((search?.inputs?.['properties'] ?? {}) as object);
      const tried = await agent.client.builds.try({ id: built.build_id, name: search?.name ?? '', inputs: { [input]: 'chair' } });
      const names = tried.data.map((row) => row['name']);
      assert.deepEqual(
        names,
        goodsFor('chair')
          .slice(0, names.length)
          .map(({ name }) => name),
      );
      assert.ok(names.length >= 10);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
