// weft monitor as its user types it: a real agent, and a site whose pages change.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { zipSync } from 'fflate';
import type { Change, ImportedMonitors, Monitor, MonitorTag } from '@weft/contract';
import { EXIT } from '../../packages/cli/src/exit.ts';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { startVersionedSite } from '../sites/versions.ts';
import type { VersionedSite } from '../sites/versions.ts';
import { startTypedLines } from './typed-lines.ts';
import type { TypedLines } from './typed-lines.ts';

const product = (price: string, stock = 'In stock') =>
  `<!doctype html><html lang="en"><title>Kettle</title><body><h1>Kettle</h1><p class="price">${price}</p><p class="stock">${stock}</p>
   <p class="note">Boils water.</p></body></html>`;

suite('weft monitor', { timeout: 600_000 }, () => {
  let agent: TestAgent;
  let site: VersionedSite;
  let lines: TypedLines;
  before(async () => {
    [agent, site] = await Promise.all([startTestAgent(), startVersionedSite()]);
    lines = startTypedLines(agent);
    site.set('/kettle', product('€ 25.00'));
  });
  after(async () => {
    await lines[Symbol.asyncDispose]();
    await agent[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  const weft = (...args: string[]) => lines.run(...args);
  const monitor = (...args: string[]) => weft('monitor', ...args);
  async function json<Body>(...args: string[]): Promise<Body> {
    const { out, err, code } = await monitor(...args, '--json');
    assert.equal(code, 0, `${out}${err}`);
    return JSON.parse(out) as Body;
  }
  /** The origin as it is typed, without its scheme. */
  const at = (path: string) => `${site.origin.replace('http://', '')}${path}`;

  test('an address alone is watched: the product, checked at once', async () => {
    const { out, err, code } = await monitor(
      'add',
      at('/kettle'),
      '--price',
      '--stock',
      '--every',
      '15m',
      '--name',
      'Kettle',
      '--tag',
      'shops',
    );
    assert.deepEqual([code, out], [0, 'price         25.00 EUR\navailability  in stock\n'], err);
    assert.match(err, /weft: monitor 1, Kettle, is checked every 15 min/);
    assert.equal(site.asked.filter(({ path }) => path === '/kettle').length, 1, 'one check, not two');
    const shown = await json<Monitor>('show', 'kettle');
    assert.deepEqual([shown.schedule, shown.tags, shown.selectors[0]?.selector], [{ every: 900 }, ['shops'], 'body']);
    assert.match(
      (await monitor('show', '1')).out,
      /checked +every 15 min, 1 time so far\n[^]*price +25\.00 EUR\n[^]*selector 1 +body: price, availability/,
    );
  });

  test('a check tells what changed, gate by gate, and by its exit code', async () => {
    assert.deepEqual(await monitor('check', 'Kettle', '--exit-code').then(({ out, code }) => [out, code]), ['Kettle: unchanged\n', 0]);
    site.set('/kettle', product('€ 20.00'));
    const { out, code } = await monitor('check', '1', '-v', '--exit-code');
    assert.equal(code, EXIT.changed, out);
    assert.match(out, /^Kettle: changed\n {2}price changed from "25\.00 EUR" to "20\.00 EUR" \(-20\.0 %\)\.\n {2}fetch +passed +200, /);
    assert.match(out, /\n {2}notify +passed +1 change is told\.\n/);
    assert.equal((await monitor('check', 'all')).code, 0);
  });

  test('the list fits 80 columns, whatever monitors are called', async () => {
    await monitor('add', at('/kettle'), '--name', 'A kettle with a name that is much longer than any column', '--css', '.note', '--detach');
    const { out } = await monitor('list');
    const lines = out.trimEnd().split('\n');
    assert.match(lines[0] ?? '', /^ID +NAME +STATE +VALUE +CHANGED +NEXT$/);
    assert.match(out, /\n1 +Kettle +ok +20\.00 EUR \+1 /);
    assert.ok(
      lines.every((line) => line.length <= 80),
      out,
    );
    assert.equal((await monitor('remove', '2')).code, 0);
  });

  test('changes come as a table, as JSON and as CSV, of a time and a kind', async () => {
    assert.match((await monitor('changes')).out, /^AT \(UTC\) +MONITOR +KIND +WHAT\n\S+ \S+ +Kettle +price +price changed from /);
    const [change] = await json<Change[]>('changes', 'Kettle', '--kind', 'price', '--since', '2020-01-01');
    assert.deepEqual(change?.new, { amount: '20.00', amount_minor: 2000, currency: 'EUR' });
    const { out } = await monitor('changes', '-f', 'csv', '--since', '3650d', '--tag', 'shops');
    assert.match(out, /^id,created_at,[^]*\r\n1,\S+,1,Kettle,price,price,"\{""amount_minor"":2500,/);
    assert.deepEqual(await json('changes', '--kind', 'gone'), []);
    assert.match((await monitor('changes', '--since', 'yesterday')).err, /--since is "yesterday"; it must be/);
  });

  test('what it saw is told as checks, as values, as snapshots, and as the difference of two', async () => {
    assert.match(
      (await monitor('history', 'kettle')).out,
      /^AT \(UTC\) +RUN +VERDICT +TOOK +WHAT\n[^]* changed +\d+ ms +price changed from /,
    );
    assert.match(
      (await monitor('history', 'kettle', '--value', 'price')).out,
      /VALUE\n\S+ \S+ +1 +25\.00 EUR\n\S+ \S+ +\d+ +20\.00 EUR\n$/,
    );
    const unknown = await monitor('history', 'kettle', '--value', 'prize');
    assert.deepEqual([unknown.code, /no value "prize"; it has "price", "availability"/.test(unknown.err)], [EXIT.notFound, true]);
    const [newest, oldest] = await json<readonly { id: number }[]>('snapshots', 'kettle');
    assert.match(
      (await monitor('snapshots', 'kettle')).out,
      /^SNAPSHOT +AT \(UTC\) +RUN +PARTS \(BYTES\)\n2 .*values \(\d+\), body \(\d+\)\n1 /,
    );
    assert.match((await monitor('snapshots', 'kettle', String(oldest?.id), '--part', 'body')).out, /^<!doctype html>[^]*25\.00/);
    const file = join(agent.home, 'page.html');
    assert.match((await monitor('snapshots', 'kettle', String(newest?.id), '-o', file)).out, /^Wrote \d+ bytes to /);
    assert.match(readFileSync(file, 'utf8'), /20\.00/);
    const { out, err } = await monitor('diff', 'kettle', '--value', 'price', '--as', 'unified');
    assert.match(out, /^- 25\.00 EUR\n[^]*^\+ 20\.00 EUR/m, err);
    assert.match((await monitor('diff', '--change', '1', '--as', 'line')).out, /25\.00[^]*20\.00/);
    assert.match((await monitor('diff', 'kettle', '--part', 'body', '--as', 'line')).out, /€ 25\.00[^]*€ 20\.00/);
    assert.deepEqual(Object.keys(await json('diff', 'kettle', '--value', 'price')), ['monitor_id', 'old', 'new', 'difference']);
    assert.equal((await monitor('diff', 'kettle', '--change', '1')).code, EXIT.usage);
    assert.equal((await monitor('snapshots', 'kettle', '--part', 'body')).code, EXIT.usage);
  });

  test('a monitor is edited, paused, resumed, and its schedule given back to its tag', async () => {
    assert.match((await monitor('edit', 'kettle', '--cron', '0 9 * * mon-fri')).out, /is checked by cron 0 9 \* \* mon-fri\.\n/);
    assert.equal((await monitor('edit', '1')).code, EXIT.usage);
    assert.match((await monitor('tag', 'set', 'shops', '--every', '2h')).out, /Tag shops is set for 1 monitor, checked every 2 h\./);
    assert.match((await monitor('edit', '1', '--unset', 'schedule')).out, /is checked every 2 h\./);
    assert.equal((await json<Monitor>('edit', '1', '--ignore-robots')).respect_robots, false);
    assert.equal((await json<Monitor>('edit', '1', '--unset', 'respect_robots')).respect_robots, true);
    assert.match((await monitor('tag', 'set', 'shops', '--ignore', '/boils/i')).out, /checked every 2 h\./);
    assert.deepEqual((await json<{ data: MonitorTag[] }>('tag', 'list')).data[0]?.filter, { ignore: ['/boils/i'] });
    assert.match((await monitor('tag', 'list')).out, /^TAG +MONITORS +CHECKED +OTHER SETTINGS\nshops +1 +every 2 h +filter\n$/);
    assert.match((await monitor('tag', 'remove', 'shops')).out, /monitors keep its name/);
    assert.match((await monitor('tag', 'list')).err, /named by monitors, without settings: shops/);
    assert.match((await monitor('pause', '1')).out, /Monitor 1, Kettle, is paused; weft monitor resume 1 goes on\./);
    assert.match((await monitor('list')).out, /\n1 +Kettle +paused /);
    assert.match((await monitor('resume', '1')).out, /is checked every 1 h again\./);
  });

  test('selectors and extractors are added, tried on the live page, and removed', async () => {
    assert.match(
      (await monitor('selector', 'add', '1', '--css', '.note', '--name', 'Note')).out,
      /weft monitor selector test 1 3 tries it now/,
    );
    assert.match(
      (await monitor('selector', 'test', '1', '3')).out,
      /^Note: found, 1 by itself, sure at 1\.00\n {2}text {2}Boils water\.\n/,
    );
    assert.match((await monitor('selector', 'test', '1', '3', '--screenshot')).err, /needs a browser[^]*device_capacity \(409\)/);
    assert.match((await monitor('selector', 'test', '1')).err, /has 2 selectors; say which by its number: 1 \(body\), 3 \(Note\)/);
    assert.match(
      (await monitor('extractor', 'add', '3', 'regex', '--pattern', 'B(\\w+)')).out,
      /weft monitor extractor test 3 tries it now/,
    );
    assert.equal((await monitor('extractor', 'test', '3')).out, 'oils\n');
    assert.match((await monitor('extractor', 'add', '3', 'prize')).err, /weft: .*type/);
    assert.match((await monitor('selector', 'baseline', '1', '3')).out, /Selector 3 has the page of now as its baseline/);
    assert.match((await monitor('selector', 'list', '1')).out, /\n3 +Note +active +2026-01-01 +3 regex\n$/);
    assert.match((await monitor('selector', 'clear', '1', '3')).out, /has no baseline/);
    assert.match((await monitor('selector', 'accept', '1', '3')).err, /has no proposed repair[^]*Cause: conflict \(409\)/);
    assert.equal((await monitor('extractor', 'remove', '3')).code, 0);
    assert.equal((await monitor('selector', 'remove', '1', '3')).code, 0);
    assert.match((await monitor('selector', 'test', '1', '3')).err, /has no selector 3\.[^]*Try: {3}weft monitor selector list 1/);
  });

  test('trouble is said where it is met, in the list and in weft status', async () => {
    site.set('/gone', undefined);
    const added = await monitor('add', at('/gone'), '--css', 'h1');
    assert.equal(added.code, EXIT.failed);
    assert.match(added.err, /Cause: connect\nTry: {3}weft monitor check \d+ -v/);
    assert.match((await monitor('list', '--trouble')).out, /^ID .*\n\d+ +\S+ +error .*\n$/);
    assert.match((await weft('status')).out, /\nMonitors in trouble: .*\/gone \(error\): weft monitor list --trouble\n/);
    assert.equal((await monitor('check', 'all')).code, EXIT.failed);
    assert.equal((await monitor('remove', at('/gone'))).code, 0);
    assert.doesNotMatch((await weft('status')).out, /Monitors/);
  });

  test('what cannot be done is refused with the next command', async () => {
    assert.match((await monitor('show', 'teapot')).err, /There is no monitor "teapot"\.\nCause: not_found\nTry: {3}weft monitor list/);
    assert.match((await monitor('add', at('/kettle'), '--percent', '5')).err, /--percent and --below are for a price or a number/);
    assert.match((await monitor('add', at('/kettle'), '--css', 'a[')).err, /"selector" can't be read/);
    assert.match((await monitor('add', at('/kettle'), '--every', 'often')).err, /--every is "often"; it must be a time such as/);
    assert.match((await monitor('add', at('/kettle'), '--channel', '9')).err, /There is no channel 9/);
    await monitor('add', at('/kettle'), '--name', 'kettle', '--detach');
    const twice = await monitor('check', 'kettle');
    assert.deepEqual(
      [twice.code, /2 monitors are called "kettle": \d+, 1\. Say which by its number/.test(twice.err)],
      [EXIT.usage, true],
      twice.err,
    );
  });

  test('files of other programs come in after they were shown, and all of it goes out', async () => {
    const file = join(agent.home, 'backup.zip');
    const watch = { url: `${site.origin}/kettle`, title: 'Imported', paused: true, notification_urls: ['json://127.0.0.1/x'] };
    writeFileSync(file, zipSync({ 'w1/watch.json': new TextEncoder().encode(JSON.stringify(watch)) }));
    const dry = await monitor('import', file, '--dry-run');
    assert.match(dry.out, /^Would make 1 monitor, 1 of them paused from changedetection\.\nleft out: w1\/watch\.json\.notification_urls: /);
    const made = await json<ImportedMonitors>('import', file);
    assert.equal((await json<Monitor>('show', 'Imported')).id, made.monitors[0]?.id);
    assert.equal((await agent.client.files.list({})).count, 0);
    const output = join(agent.home, 'monitors.yaml');
    assert.equal((await monitor('export', '-o', output)).code, EXIT.done);
    assert.match(readFileSync(output, 'utf8'), /^weft: 1\n[\s\S]*name: Imported/);
    assert.match((await monitor('import', output, '--dry-run')).out, /from weft/);
    assert.match((await monitor('import', join(agent.home, 'none'))).err, /There is no file/);
  });

  test('the capacity says what one more would make of it', async () => {
    assert.match(
      (await monitor('capacity', '--every', '5m')).out,
      /LANE +SLOTS .*WITH ONE MORE, EVERY 5 MIN\nhttp +\d+ +[\d.]+ s +[\d.]+ of /,
    );
  });

  test('--persona names whom it looks as', async () => {
    const { id } = await agent.client.personas.create({ name: 'Grace', origins: [site.origin] });
    await monitor('add', `${site.origin}/kettle`, '--name', 'hers', '--persona', 'grace');
    const persona = async () => ((await json('show', 'hers')) as { readonly persona_id?: number }).persona_id;
    assert.equal(await persona(), id);
    await monitor('edit', 'hers', '--unset', 'persona-id');
    assert.equal(await persona(), undefined);
    await monitor('edit', 'hers', '--persona', String(id));
    assert.equal(await persona(), id);
    await monitor('remove', 'hers');
  });

  test('--items watches a list, and says what is new and gone', async () => {
    const list = (names: readonly string[]) =>
      `<!doctype html><main><h1>News</h1><ul>${names.map((name) => `<li><a href="/${name}">The story of ${name}</a></li>`).join('')}</ul></main>`;
    site.set('/news', list(['ada', 'bob', 'cleo', 'dan']));
    assert.match((await monitor('add', at('/news'), '--css', 'li a', '--name', 'First')).err, /li a: found 4, of which the first is read/);
    assert.equal((await monitor('add', at('/news'), '--css', 'ul', '--items', '--name', 'News')).code, 0);
    site.set('/news', list(['eve', 'ada', 'bob', 'cleo']));
    const { out } = await monitor('check', 'News');
    assert.equal(out, 'News: changed\n  list: 1 new ("The story of eve"), 1 gone ("The story of dan").\n');
  });

  test('a first check that finds nothing says so once, that the monitor stays, and how it goes', async () => {
    site.set('/about', '<!doctype html><title>About</title><h1>About us</h1><p>We have mended kettles since the first of them.</p>');
    const { out, err, code } = await monitor('add', at('/about'), '--price', '--name', 'About');
    assert.deepEqual([code, out], [EXIT.failed, '']);
    assert.equal(err.split('There is no price').length, 2, err);
    const [, id = ''] = /weft: monitor (\d+), About, is checked every 1 h/.exec(err) ?? [];
    assert.ok(err.includes(`\nweft: monitor ${id} stays, and is checked on; \`weft monitor remove ${id}\` ends it\n`), err);
    assert.match((await monitor('history', id)).out, /\d\d:\d\d +\d+ +missing +\d+ ms +body: price: There is no price/);
    assert.match((await monitor('show', id)).out, /\nstate +missing since \d{4}-\d\d-\d\d \d\d:\d\d UTC: /);
    const lost = await monitor('add', at('/about'), '--css', '.nothing', '--name', 'Lost');
    assert.match(lost.err, /\.nothing: It finds nothing, and no earlier check says what it should find\./);
    for (const ref of ['About', 'Lost']) assert.equal((await monitor('remove', ref)).code, 0);
  });

  test('--confirm tells a change once so many checks in a row saw it', async () => {
    site.set('/slow', '<h1>Slow</h1><p class="n">1 of them is here</p>');
    assert.equal((await monitor('add', at('/slow'), '--css', '.n', '--name', 'Slow', '--confirm', '2')).code, 0);
    site.set('/slow', '<h1>Slow</h1><p class="n">2 of them are here</p>');
    assert.match((await monitor('check', 'Slow')).out, /^Slow: seems changed, which later checks have to confirm\n/);
    assert.match((await monitor('check', 'Slow')).out, /^Slow: changed\n/);
    assert.match((await monitor('edit', 'Slow', '--confirm', '0')).err, /--confirm/);
    assert.equal((await monitor('edit', 'Slow', '--confirm', '3')).code, 0);
    assert.deepEqual((await json<Monitor>('show', 'Slow')).confirm, { times: 3 });
    assert.equal((await monitor('remove', 'Slow')).code, 0);
  });

  test('the test of a selector says by which words something can be bought', async () => {
    site.set('/cup', '<h1>Cup</h1><p class="price">€ 4.00</p><p class="stock">Sold out</p><button>Add to basket</button>');
    assert.equal((await monitor('add', at('/cup'), '--stock', '--name', 'Cup')).code, 0);
    assert.match((await monitor('selector', 'test', 'Cup')).out, /\n {2}availability {2}in stock \(text "Add to basket"\)\n/);
    assert.equal((await monitor('remove', 'Cup')).code, 0);
  });
});
