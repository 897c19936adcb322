import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MonitorFormat } from '@weft/contract';
import { NewMonitor } from '@weft/contract';
import { zipSync } from 'fflate';
import { readPage } from '../reading/read-page.ts';
import { faultOfMonitor } from '../spec-faults.ts';
import type { ImportResult } from './exchange.ts';
import { jsonPathOfJq } from './jq.ts';
import { readMonitors } from './read-monitors.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (content: string | Uint8Array, format?: MonitorFormat): Promise<ImportResult> =>
  readMonitors({ format, content: typeof content === 'string' ? bytes(content) : content });

async function only(content: string | Uint8Array, format?: MonitorFormat): Promise<{ monitor: NewMonitor; told: string }> {
  const { monitors, leftOut } = await read(content, format);
  assert.equal(monitors.length, 1, JSON.stringify(leftOut));
  // What comes in is what the contract takes.
  const monitor = NewMonitor.parse(monitors[0]?.monitor);
  assert.equal(faultOfMonitor(monitor), undefined);
  return { monitor, told: leftOut.map(({ path, message }) => `${path}: ${message}`).join('\n') };
}

/** A watch of changedetection.io beside what each has. */
const watch = async (options: object) => await only(JSON.stringify({ url: 'https://shop.example/p', ...options }), 'changedetection_api');

describe('watches of changedetection.io', () => {
  const CASES: readonly (readonly [what: string, options: object, made: object])[] = [
    [
      'its own interval',
      { time_between_check: { hours: 1, minutes: 30 }, time_between_check_use_default: false },
      { schedule: { every: 5400 } },
    ],
    ['that of its instance', { time_between_check: { hours: 1 }, time_between_check_use_default: true }, { schedule: { every: 10_800 } }],
    ['a POST', { method: 'POST', body: 'q=1', headers: { 'X-A': '1' } }, { method: 'POST', body: 'q=1', headers: { 'X-A': '1' } }],
    ['a browser that waits', { fetch_backend: 'html_webdriver', webdriver_delay: 4 }, { lane: 'browser', wait_ms: 4000 }],
    [
      'selectors',
      { include_filters: ['.a', '//h1', 'xpath:string(//b)', 'json:$.x', 'jq:.y[0]'] },
      {
        selectors: [
          { selector: 'css/.a', many: true },
          { selector: 'xpath///h1', many: true },
          { selector: 'xpath/string(//b)', many: true },
          { selector: 'jsonpath/$.x', many: true },
          { selector: "jsonpath/$['y'][0]", many: true },
        ],
      },
    ],
    ['words to wait for', { trigger_text: ['Buy', '/v\\d/'] }, { filter: { trigger: ['Buy', '/v\\d/i'] } }],
    [
      'words to wait for in a part',
      { include_filters: ['.a'], trigger_text: ['Buy'] },
      { selectors: [{ selector: 'css/.a', many: true }], when: { value: '{{text}}', op: 'matches', with: '/Buy/i' } },
    ],
    ['whole lines that are ignored', { ignore_text: ['ad', '/\\d+ online/'] }, { filter: { ignore: ['ad', '/^.*(?:\\d+ online).*$/im'] } }],
    [
      'what is made of the text',
      { extract_lines_containing: ['Price'], extract_text: ['/(\\d+)/'], remove_duplicate_lines: true, sort_text_alphabetically: true },
      { filter: { sort_lines: true, steps: [{ keep: ['Price'] }, { find: ['/(\\d+)/i'] }, { unique: true }] } },
    ],
    ['only what came', { filter_text_removed: false, filter_text_replaced: false }, { filter: { only: ['added'] } }],
    [
      'price and stock',
      {
        processor: 'restock_diff',
        processor_config_restock_diff: {
          in_stock_processing: 'in_stock_only',
          price_change_min: 10,
          price_change_max: 20.5,
          price_change_threshold_percent: 5,
        },
      },
      {
        selectors: [
          {
            selector: 'css/body',
            extractors: [
              { type: 'availability', alert: { in_stock_only: true } },
              { type: 'price', alert: { min: 10, max: 20.5, percent: 5 } },
            ],
          },
        ],
      },
    ],
    [
      'a condition on a number',
      { conditions: [{ field: 'extracted_number', operator: '>=', value: '5.5' }] },
      {
        selectors: [{ selector: 'body' }, { selector: 'body', extractors: [{ type: 'number', name: 'number' }] }],
        when: { value: '{{values.number}}', op: 'ge', with: 5.5 },
      },
    ],
    [
      'one of some conditions',
      {
        conditions_match_logic: 'ANY',
        conditions: [
          { field: 'page_filtered_text', operator: 'in', value: 'a' },
          { field: 'page_filtered_text', operator: '!contains_regex', value: 'b+' },
        ],
      },
      { when: { any: [{ value: '{{text}}', op: 'contains', with: 'a' }, { not: { value: '{{text}}', op: 'matches', with: '/b+/i' } }] } },
    ],
    ['source', { url: 'source:https://shop.example/p' }, { selectors: [{ selector: 'css/html', extractors: [{ type: 'html' }] }] }],
  ];
  for (const [what, options, made] of CASES)
    it(`takes ${what} over`, async () => {
      const { monitor, told } = await watch(options);
      assert.deepEqual(monitor, { url: 'https://shop.example/p', schedule: { every: 10_800 }, ...made });
      assert.equal(told, '');
    });

  for (const [options, says] of [
    [{ method: 'POST' }, 'A POST goes over HTTP'],
    [{ fetch_backend: 'html_requests' }, 'It goes over HTTP'],
  ] as const)
    it(`takes over what waits where no browser does, and tells it: ${says}`, async () => {
      const { monitor, told } = await watch({ ...options, webdriver_delay: 4 });
      assert.deepEqual([monitor.wait_ms, told], [undefined, `.webdriver_delay: ${says}, where nothing is waited for.`]);
    });

  it('takes a week over midnight, each night belonging to the day on which it begins', async () => {
    const day = { enabled: true, start_time: '22:00', duration: { hours: '8', minutes: '00' } };
    const { monitor } = await watch({
      time_schedule_limit: {
        enabled: true,
        timezone: 'Asia/Tokyo',
        monday: day,
        friday: day,
        tuesday: { enabled: false },
        wednesday: { enabled: false },
        thursday: { enabled: false },
        saturday: { enabled: false },
        sunday: { enabled: false },
      },
    });
    assert.deepEqual(monitor.schedule, {
      every: 10_800,
      windows: [{ days: ['mon', 'fri'], from: '22:00', to: '06:00' }],
      timezone: 'Asia/Tokyo',
    });
  });

  it('pauses what would watch something else, and tells why', async () => {
    for (const options of [
      { browser_steps: [{ operation: 'Click element', selector: '#x' }] },
      { include_filters: ['jq:.a | length'] },
      { ignore_text: ['/(?=x)/'] },
      { conditions: [{ field: 'levenshtein_ratio', operator: '>', value: '0.5' }] },
      { headers: { 'X-Day': "{% now 'utc' %}" } },
    ]) {
      const { monitor, told } = await watch(options);
      assert.equal(monitor.active, false, JSON.stringify(options));
      assert.match(told, new RegExp(Object.keys(options)[0] ?? ''));
    }
  });

  it('tells of notices without the tokens in their addresses', async () => {
    const { told, monitor } = await watch({ notification_urls: ['discord://hook/SECRET', 'tgram://TOKEN/1'] });
    assert.match(told, /discord, tgram/);
    assert.doesNotMatch(told, /SECRET|TOKEN/);
    assert.equal(monitor.active, undefined);
  });

  it('makes no monitor of what can not be asked for', async () => {
    for (const options of [
      { method: 'DELETE' },
      { url: 'ftp://shop.example/' },
      { url: 'https://a:b@shop.example/' },
      { url: "https://shop.example/{% now 'utc' %}" },
    ]) {
      const { monitors, leftOut } = await read(JSON.stringify({ url: 'https://shop.example/', ...options }), 'changedetection_api');
      assert.deepEqual([monitors.length, leftOut.length], [0, 1], JSON.stringify(options));
    }
  });

  it('reads a backup with the settings and tags of its instance', async () => {
    const json = (value: object) => bytes(JSON.stringify(value));
    const backup = zipSync({
      'changedetection.json': json({
        settings: {
          requests: { time_between_check: { minutes: 20 } },
          application: { global_ignore_text: ['cookie'], fetch_backend: 'html_requests' },
        },
      }),
      't1/tag.json': json({ title: 'Über Shops!', ignore_text: ['banner'] }),
      'w1/watch.json': json({ url: 'https://shop.example/', tags: ['t1'], ignore_text: ['ad'], processor: 'restock_diff' }),
      'w1/restock_diff.json': json({ restock_diff: { in_stock_processing: 'off', follow_price_changes: true } }),
      'w1/a.txt': new Uint8Array(1000),
    });
    const { monitor } = await only(backup);
    assert.deepEqual(monitor, {
      url: 'https://shop.example/',
      lane: 'http',
      schedule: { every: 1200 },
      tags: ['uber-shops'],
      filter: { ignore: ['ad', 'banner', 'cookie'] },
      selectors: [{ selector: 'css/body', extractors: [{ type: 'price' }] }],
    });
  });

  it('refuses an archive that unpacks to more than is read', async () => {
    const bomb = zipSync({ 'w1/watch.json': new Uint8Array(70_000_000) });
    await assert.rejects(read(bomb), { code: 'body_too_large' });
    await assert.rejects(read(bomb.subarray(0, bomb.length - 30)), { code: 'page_unreadable' });
  });
});

/** A document, a filter as YAML has it, and what comes of both. */
const FILTERS: readonly (readonly [filter: string, page: string, text: string])[] = [
  ['[{css: .p}, html2text]', '<p class=p>A <b>b</b></p><p class=p>C</p>', 'A b\nC'],
  ['[{css: .p}]', '<p class=p>A <b>b</b></p>', '<p class="p">A <b>b</b></p>'],
  ['[{css: {selector: div, exclude: .x}}, html2text]', '<div>a<p class=x>b</p></div>', 'a'],
  ['[{xpath: {path: //li, skip: 1, maxitems: 1}}, html2text]', '<li>1<li>2<li>3', '2'],
  ['[{xpath: //a/@href}]', '<a href=/x>y</a>', '/x'],
  ['element-by-id:a,html2text', '<p id=a>x</p><p id=b>y</p>', 'x'],
  ['[html2text, {grep: "(?i)price"}, {re.sub: {pattern: "(\\\\d+) EUR", repl: "\\\\1"}}]', '<p>Price 5 EUR<p>no', 'Price 5'],
  ['[html2text, {grepi: ad}, sort, remove-duplicate-lines]', '<p>b<p>an ad<p>a<p>b', 'a\nb'],
  ['[html2text, {re.findall: {pattern: "(\\\\w)-(\\\\w)", repl: "\\\\2\\\\1"}}]', '<p>a-b c-d', 'ba\ndc'],
];

describe('jobs of urlwatch and webchanges', () => {
  for (const [filter, page, text] of FILTERS)
    it(`reads what ${filter} reads`, async () => {
      const { monitor } = await only(`url: https://shop.example/\nfilter: ${filter}\n`, 'urlwatch');
      const source = { url: 'https://shop.example/', body: bytes(page), contentType: 'text/html' };
      const targets = (monitor.selectors ?? []).map(({ selector, many = false, extractors = [{ type: 'text' as const }] }, id) => ({
        id,
        selector,
        many,
        baseline: undefined,
        isSteady: false,
        extractors: extractors.map((spec) => ({ id: undefined, name: spec.type, spec })),
      }));
      const reading = await readPage({
        source,
        status: 200,
        headers: [],
        requestedUrl: source.url,
        watch: 'page',
        filter: monitor.filter ?? {},
        targets,
        captureMs: 0,
      });
      assert.equal((reading.page ?? reading.targets[0]?.values[0])?.text, text);
    });

  it('reads documents one after the other, and runs no commands', async () => {
    const jobs =
      'name: One\nurl: https://a.example/\nmax_tries: 4\n---\ncommand: date\n---\nnavigate: https://b.example/\ntags: [x]\n---\nurl: https://c.example/\nenabled: no\nfilter: [{shellpipe: rm}]\n';
    const { format, monitors, leftOut } = await read(jobs);
    assert.equal(format, 'urlwatch');
    assert.deepEqual(
      monitors.map(({ path, monitor: { url, name, lane, active, trouble } }) => [path, url, name, lane, active, trouble?.after]),
      [
        ['[0]', 'https://a.example/', 'One', undefined, undefined, 4],
        ['[2]', 'https://b.example/', undefined, 'browser', undefined, undefined],
        ['[3]', 'https://c.example/', undefined, undefined, false, undefined],
      ],
    );
    assert.deepEqual(
      leftOut.map(({ path }) => path),
      ['[1].command', '[3].filter[0].shellpipe'],
    );
  });

  it('takes the words of webchanges', async () => {
    const { monitor, told } = await only(
      'url: https://a.example/\nuse_browser: true\nadditions_only: true\nwait_for_selector: "#x"\nssl_no_verify: true\nfilters: [{keep_lines_containing: Price}]\nignore_http_error_codes: 404, 5xx\n',
    );
    const { lane, filter, wait_for_selector: waits, accept_statuses: statuses } = monitor;
    assert.deepEqual([lane, waits, statuses?.length], ['browser', '#x', 13]);
    assert.deepEqual(filter, { only: ['added', 'replaced'], steps: [{ keep: ['/Price/'] }] });
    assert.match(told, /ssl_no_verify: Certificates are always verified/);
  });

  it('refuses YAML that grows, and says where it can not be read', async () => {
    const lines = Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array.from({ length: 9 }, () => `*a${i}`).join(', ')}]`);
    await assert.rejects(read(`url: https://a.example/\na0: &a0 x\n${lines.join('\n')}`, 'urlwatch'), {
      code: 'page_unreadable',
      message: /alias/,
    });
    await assert.rejects(read('url: [', 'urlwatch'), { code: 'page_unreadable', message: /line 1/ });
  });
});

describe('other files', () => {
  it('reads a list of addresses', async () => {
    const { format, monitors, leftOut } = await read(
      '# shops\nhttps://a.example/\n\nhttps://b.example/\tShop B\nhttps://c.example/ | C\nnothing\n',
    );
    assert.equal(format, 'urls');
    assert.deepEqual(
      monitors.map(({ path, monitor: { url, name } }) => [path, url, name]),
      [
        ['line 2', 'https://a.example/', undefined],
        ['line 4', 'https://b.example/', 'Shop B'],
        ['line 5', 'https://c.example/', 'C'],
      ],
    );
    assert.deepEqual(
      leftOut.map(({ path }) => path),
      ['line 6'],
    );
  });

  it('reads an export of Distill', async () => {
    const config = {
      selections: [
        {
          dynamic: true,
          delay: 2,
          frames: [{ index: 0, includes: [{ type: 'xpath', expr: '//main' }], excludes: [{ type: 'css', expr: '.ad' }] }],
        },
      ],
      dataAttr: 'text',
    };
    const entry = {
      name: 'News',
      uri: 'https://a.example/',
      config: JSON.stringify(config),
      schedule: '{"type":"INTERVAL","params":{"interval":4447}}',
      tags: ['nice stuff'],
      state: 40,
      content_type: 2,
    };
    const { monitor, told } = await only(JSON.stringify({ client: {}, data: [entry] }));
    assert.deepEqual(monitor, {
      url: 'https://a.example/',
      name: 'News',
      lane: 'browser',
      wait_ms: 2000,
      schedule: { every: 4447 },
      tags: ['nice-stuff'],
      filter: { subtract: ['css/.ad'] },
      selectors: [{ selector: 'xpath///main', many: true }],
    });
    assert.equal(told, '');
  });

  it('reads feeds of an OPML list with the folders that they lie in', async () => {
    const { monitor } = await only(
      '<?xml version="1.0"?><opml version="2.0"><body><outline text="News"><outline text="A" type="rss" xmlUrl="https://a.example/feed"/></outline></body></opml>',
    );
    assert.deepEqual(monitor, { url: 'https://a.example/feed', name: 'A', tags: ['news'] });
  });

  it('refuses what is of another format', async () => {
    for (const format of ['changedetection', 'changedetection_api', 'distill', 'opml', 'urlwatch', 'weft'] as const)
      await assert.rejects(read('just words', format), { code: 'page_unreadable' }, format);
  });

  it('reads jq that only points', () => {
    for (const [program, path] of [
      ['.', '$'],
      ['.a.b', "$['a']['b']"],
      ['.[0]."x y"', "$[0]['x y']"],
      ['.items[] | .name', "$['items'][*]['name']"],
      ['.a[1:3]', "$['a'][1:3]"],
      ['.a | length', undefined],
      ['map(.x)', undefined],
      ['.a, .b', undefined],
    ] as const)
      assert.equal(jsonPathOfJq(program), path, program);
  });
});
