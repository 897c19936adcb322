import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { DEFAULT_BUILD_LIMITS, PageError, draftable, isEnded, newestRung, verifyCertificate, viewRung } from '@weft/engine';
import type { BuildPorts, BuildProgress, BuildResult, Certificate } from '@weft/engine';
import { checkWorkflow } from '../../packages/engine/src/run/definition/check.ts';
import { misfit } from '../../packages/engine/src/run/definition/json-schema.ts';
import { startBuildStage } from '../build-stage.ts';
import type { BuildStage } from '../build-stage.ts';
import { tryLie } from '../campaigns/liars.ts';
import { fastClock } from '../fast-clock.ts';
import { serveOnLoopback } from '../sites/on-loopback.ts';
import {
  GOODS,
  goodsFor,
  startCalendar,
  startCounters,
  startCurtSearch,
  startEmpty,
  startPostSearch,
  startRegister,
  startShop,
  startFormsOfMakers,
  startThreeForms,
  startWiki,
} from '../sites/api-sites.ts';

const OBJECTIVE = 'search goods by name with price and maker';

suite('a build by plain requests', () => {
  let stage: BuildStage;
  before(() => {
    stage = startBuildStage();
  });
  after(() => stage[Symbol.asyncDispose]());

  test('turns a search into a proved function whose rows are those of the site', async () => {
    await using site = await startShop();
    const result = await stage.build({ url: site.url, objective: OBJECTIVE });
    assert.deepEqual([newestRung(result.ladder).rung, newestRung(result.ladder).status], ['static', 'proved']);
    const search = functionOf(result, 'search');
    assert.equal(search.certificate.state, 'proved');
    assert.equal(search.certificate.lane, 'http');
    const recorded = search.certificate.probes.find(({ role }) => role === 'recorded');
    assert.equal(recorded?.rows, goodsFor(recorded?.word ?? '').slice(0, 10).length);
    const [row] = search.sample;
    const truth = goodsFor(recorded?.word ?? '')[0];
    assert.deepEqual(
      [row?.['title'], row?.['maker'], row?.['price']],
      [truth?.name, truth?.maker, { amount: truth?.price, currency: 'EUR' }],
    );
    assert.deepEqual(checkWorkflow(search.workflow), []);
    assert.ok(site.asked.length <= 45, `${site.asked.length} requests`);
    const list = functionOf(result, 'list');
    assert.equal(list.certificate.rules.find(({ rule }) => rule === 'page_2_differs')?.verdict, 'holds');
    const { paths } = result.openapi as { readonly paths: Record<string, { readonly post: Record<string, unknown> }> };
    assert.deepEqual(Object.keys(paths).toSorted(), result.functions.map(({ name }) => `/${name}`).toSorted());
    const proof = paths[`/${search.name}`]?.post['x-proof'] as { readonly state: string } | undefined;
    assert.equal(proof?.state, 'proved');
  });

  test('reads the one row of a table as a record, and takes the empty choice of a form', async () => {
    await using site = await startRegister();
    const result = await stage.build({ url: site.url, objective: 'search goods by name, and get one of the goods' });
    const { inputs = {} } = functionOf(result, 'search').workflow;
    const { properties = {}, required } = inputs as {
      readonly properties?: Record<string, { readonly enum?: readonly string[] }>;
      readonly required?: readonly string[];
    };
    assert.deepEqual([required, properties['maker']?.enum?.slice(0, 2)], [['q'], ['', 'Halvorsen']]);
    for (const maker of ['', 'Okafor']) assert.equal(misfit({ q: 'lamp', maker }, inputs, 'inputs'), undefined);
    const detail = functionOf(result, 'detail');
    assert.equal(detail.certificate.state, 'proved');
    const [record] = detail.sample;
    const good = GOODS.find(({ id }) => String(id) === String(record?.['number']));
    assert.deepEqual([record?.['name'], record?.['made_by']], [good?.name, good?.maker]);
  });

  for (const [what, isUnread] of [
    ['an answer of a search', (work, request) => work === 'evidence' && 'without' in request],
    ['an answer of a proof', (work) => work === 'reading'],
    ['a record', (work) => work === 'detail'],
  ] as readonly (readonly [string, (work: string, request: object) => boolean])[])
    test(`goes on where ${what} can't be read`, async () => {
      await using site = await startShop();
      const { views } = stage.ports;
      const run: BuildPorts['views']['run'] = async (work, request, signal, caller) => {
        if (isUnread(work, request)) throw new PageError('timeout', 'Reading the page took longer than 20000 ms and was stopped.');
        return await views.run(work, request, signal, caller);
      };
      const { ladder, catalogue } = await stage.build({ url: site.url, objective: OBJECTIVE }, { views: { run } });
      assert.ok(catalogue.candidates.length > 0);
      assert.ok(isEnded(ladder));
    });

  test('proves the search that was asked for, though a list says more of the objective', async () => {
    await using site = await startCurtSearch();
    const { functions } = await stage.build({ url: site.url, objective: 'search old household goods' });
    const states = functions.map(({ candidate: { kind, match }, certificate: { state } }) => ({ kind, match, state }));
    const [search, list] = ['search', 'list'].map((wanted) => states.find(({ kind }) => kind === wanted));
    assert.deepEqual([search?.state, list?.state], ['proved', 'proved']);
    assert.ok((search?.match ?? 1) < (list?.match ?? 0) * 0.6, JSON.stringify(states));
  });

  test('says of searches that it does not try that others came first', async () => {
    await using site = await startCounters();
    const { catalogue } = await stage.build({ url: site.url, objective: OBJECTIVE });
    assert.equal(catalogue.forms.length, 5);
    const untried = catalogue.forms.filter(({ unused }) => unused === 'It was not tried: 3 others came first.');
    assert.equal(untried.length, 2);
  });

  test('tells search forms apart that differ by a hidden field, and makes one of those that answer alike', async () => {
    await using site = await startThreeForms();
    const { catalogue } = await stage.build({ url: site.url, objective: OBJECTIVE });
    const searches = catalogue.candidates.filter(({ kind }) => kind === 'search').map(({ name }) => name);
    assert.deepEqual(searches.toSorted(), ['search_goods', `search_goods_with_maker_${GOODS[0]?.maker.toLowerCase() ?? ''}`]);
    assert.match(catalogue.forms.find(({ form }) => form.fields.some(({ name }) => name === 'from'))?.unused ?? '', /answers as that does/);
  });

  test('tells search forms apart that differ by the value of a hidden field, and heeds no field that says where they stand', async () => {
    await using site = await startFormsOfMakers();
    const { catalogue, functions } = await stage.build({ url: site.url, objective: OBJECTIVE });
    const searches = functions.filter(({ candidate: { kind } }) => kind === 'search');
    assert.deepEqual(
      searches.map(({ name, certificate: { state } }) => [name, state]).toSorted(),
      ['halvorsen', 'okafor'].map((maker) => [`search_goods_with_maker_${maker}`, 'proved']),
    );
    assert.equal(catalogue.forms.length, 2);
  });

  test('ends a rung with what it has once its time is over, and says so', async () => {
    await using site = await startShop();
    const { clock } = stage.ports;
    let passedMs = 0;
    const late = { ...clock, steadyMs: () => clock.steadyMs() + passedMs };
    const tell: BuildPorts['tell'] = async (progress) => {
      if (progress.type === 'page') passedMs += 300_000;
    };
    const limits = { ...DEFAULT_BUILD_LIMITS, rungSecondsMax: 400 };
    const { ladder } = await stage.build({ url: site.url, objective: 'zeppelins', limits }, { clock: late, tell });
    assert.match(ladder[0]?.measured ?? '', /2 pages .*because its 400 seconds were over/);
  });

  test('tells whom it waits for, and since when', async () => {
    const told = Promise.withResolvers<void>();
    const waits: BuildProgress[] = [];
    await using site = await serveOnLoopback((request, response) => {
      void told.promise.then(() =>
        response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' }).end('<p>At last.</p>'),
      );
    });
    const tell: BuildPorts['tell'] = async (progress) => {
      if (progress.type !== 'waiting') return;
      waits.push(progress);
      told.resolve();
    };
    const clock = fastClock(100);
    const startMs = clock.now();
    const limits = { ...DEFAULT_BUILD_LIMITS, rungSecondsMax: 60_000 };
    await stage.build({ url: site.url, objective: OBJECTIVE, limits }, { clock, tell });
    const [first] = waits;
    assert.ok(first?.type === 'waiting' && first.host === new URL(site.url).host && first.sinceMs >= startMs);
  });

  test('decides a certificate again from its answers, and none whose answers were changed', async () => {
    await using site = await startShop();
    const { functions } = await stage.build({ url: site.url, objective: OBJECTIVE });
    const read = async (sha256: string) => stage.answers.get(sha256);
    for (const { certificate } of functions) {
      const kept = JSON.parse(JSON.stringify(certificate)) as Certificate;
      assert.deepEqual(await verifyCertificate(kept, read), { holds: true, state: certificate.state, faults: [] });
    }
    const [{ certificate }] = functions as [BuildResult['functions'][number]];
    const other = async () => new TextEncoder().encode('<p>Something else</p>');
    assert.equal((await verifyCertificate(certificate, other)).holds, false);
    assert.equal((await verifyCertificate(certificate, async () => undefined)).holds, false);
    const forged = { ...certificate, probes: certificate.probes.map((probe) => ({ ...probe, rows: probe.rows + 1 })) };
    assert.equal((await verifyCertificate(forged, read)).holds, false);
    assert.equal((await verifyCertificate({ ...certificate, state: 'failed' }, read)).holds, false);
  });

  test('finds words for a search on any page, and sends it as the Enter key does', async () => {
    await using site = await startWiki();
    const result = await stage.build({ url: `${site.url}wiki/Main_Page`, objective: 'search articles by keyword' });
    const { certificate } = functionOf(result, 'search');
    assert.equal(certificate.state, 'proved', certificate.reason);
    assert.ok(certificate.probes.every(({ answer }) => answer?.url.includes('fulltext=Search')));
  });

  for (const guarded of [false, true])
    test(`sends a search by POST${guarded ? ' with the token that its page gives each time' : ''}`, async () => {
      await using site = await startPostSearch(guarded);
      const result = await stage.build({ url: site.url, objective: OBJECTIVE });
      const search = functionOf(result, 'search');
      assert.deepEqual([search.certificate.state, search.candidate.way.kind], ['proved', 'form']);
      assert.equal(result.catalogue.tokens.length > 0, guarded);
      assert.deepEqual(
        site.asked.filter((each) => each.startsWith('POST') && each !== 'POST /find'),
        [],
      );
    });

  test('asks a site that refuses its target for robots.txt alone, and goes to the last rung with two escalations', async () => {
    for (const robots of ['User-agent: *\nDisallow: /', 'User-agent: WeftBot\nDisallow: /']) {
      await using site = await startShop(robots);
      const { ladder } = await stage.build({ url: site.url, objective: OBJECTIVE });
      assert.deepEqual(new Set(site.asked), new Set(['GET /robots.txt']));
      assert.deepEqual(
        viewRung(ladder, newestRung(ladder).buildId)?.escalations?.map(({ reason }) => reason),
        ['robots_refused', 'robots_refused'],
      );
      assert.match(newestRung(ladder).measured ?? '', /no model is named/);
      assert.match(ladder[0]?.measured ?? '', /Disallow/);
    }
  });

  test('does not ask for paths that robots.txt refuses, and does where it is told to', async () => {
    const robots = 'User-agent: *\nDisallow: /search';
    await using site = await startShop(robots);
    const obeying = await stage.build({ url: site.url, objective: OBJECTIVE });
    assert.ok(!site.asked.some((each) => each.startsWith('GET /search')));
    assert.ok(obeying.functions.every(({ candidate }) => candidate.kind !== 'search'));
    assert.match(obeying.catalogue.forms[0]?.unused ?? '', /may not be asked for/);
    const free = await stage.build({ url: site.url, objective: OBJECTIVE, respectRobots: false });
    assert.equal(functionOf(free, 'search').certificate.state, 'proved');
    assert.equal(viewRung(free.ladder, 'bld_1')?.respect_robots, false);
  });

  test('says of a site without lists what it measured, on each rung', async () => {
    await using site = await startEmpty();
    const { ladder } = await stage.build({ url: site.url, objective: OBJECTIVE });
    assert.deepEqual(
      ladder.map(({ rung, fallbackReason }) => [rung, fallbackReason]),
      [
        ['static', 'no_structured_list'],
        ['rendered', 'no_page_fetched'],
        ['ai', undefined],
      ],
    );
    assert.match(ladder[0]?.measured ?? '', /2 pages of 2 requests, 0 candidates/);
    assert.match(ladder[1]?.measured ?? '', /There is no browser here/);
  });

  test('hands over where nothing has a word of the objective, and leaves what was found to be picked', async () => {
    await using site = await startShop();
    const { ladder, catalogue, functions } = await stage.build({ url: site.url, objective: 'timetable of ferries' });
    assert.equal(ladder[0]?.fallbackReason, 'nothing_matched_objective');
    assert.deepEqual(functions, []);
    assert.ok(draftable(catalogue).some(({ kind }) => kind === 'search'));
  });

  test('does not follow a calendar without an end', async () => {
    await using site = await startCalendar();
    const result = await stage.build({ url: site.url, objective: OBJECTIVE });
    assert.equal(functionOf(result, 'list').certificate.state, 'proved');
    assert.ok(site.asked.length <= 30, `${site.asked.length} requests`);
  });

  test('ends within its budget, and pays nothing more once nobody pays', async () => {
    await using site = await startShop();
    let credits = 4;
    const { ladder } = await stage.build({ url: site.url, objective: OBJECTIVE }, { spend: async () => (credits -= 1) >= 0 });
    assert.equal(site.asked.filter((each) => each !== 'GET /robots.txt').length, 4);
    assert.match(ladder[0]?.measured ?? '', /no credits|budget/);
  });

  test('uses the one supervising call where its draft holds what was found, and its own draft where not', async () => {
    await using site = await startShop();
    const calls: string[] = [];
    const answering = (draft: unknown) => ({
      supervise: async ({ task }: { readonly task: string }) => {
        calls.push(task);
        return { draft, tokensIn: 10, tokensOut: 5 };
      },
    });
    const own = await stage.build({ url: site.url, objective: OBJECTIVE });
    const search = functionOf(own, 'search');
    const picked = { functions: [{ candidate_id: search.candidate.id, name: 'find_goods', description: 'Goods.' }], none_match: false };
    const used = await stage.build({ url: site.url, objective: OBJECTIVE, aiSupervise: true }, answering(picked));
    assert.deepEqual([used.draftSource, used.functions.map(({ name }) => name), used.supervised?.wasUsed], ['model', ['find_goods'], true]);
    assert.equal(viewRung(used.ladder, 'bld_1')?.ai_supervise, true);
    const invented = { functions: [{ candidate_id: 'https://evil.test/' }], none_match: false };
    const thrown = await stage.build({ url: site.url, objective: OBJECTIVE, aiSupervise: true }, answering(invented));
    assert.deepEqual([thrown.draftSource, thrown.supervised?.wasUsed, thrown.supervised?.dropped], ['mechanical', false, 1]);
    assert.equal(viewRung(thrown.ladder, 'bld_1')?.ai_supervise, false);
    assert.equal(newestRung(thrown.ladder).status, 'proved');
    assert.deepEqual(calls, ['draft', 'draft']);
  });

  test('of a discovery gives the catalogue, and drafts nothing', async () => {
    await using site = await startShop();
    const { ladder, catalogue, functions, draft } = await stage.build({ url: site.url, objective: OBJECTIVE, isDiscovery: true });
    assert.equal(newestRung(ladder).status, 'found');
    assert.deepEqual([functions, draft.functions], [[], []]);
    assert.deepEqual([catalogue.forms.length, catalogue.candidates.length > 1], [1, true]);
  });

  for (const lie of [
    'echoes',
    'shuffles',
    'forgets',
    'soft_404',
    'ads',
    'past_query',
    'same_page_2',
    'ignores_path',
    'soft_404_detail',
    'echoes_detail',
  ])
    test(`proves nothing of a site that lies (${lie}), and its honest twin`, async () => {
      const tally = { lies: 0, proved: 0, twins: 0 };
      await tryLie(lie, 7, stage, tally, new Set());
      assert.deepEqual(tally, { lies: 1, proved: 0, twins: 1 });
    });

  test('proves nothing of a site that answers at random and repeats itself once by chance', async () => {
    const tally = { lies: 0, proved: 0, twins: 0 };
    for (const seed of [301, 416, 428, 475, 482]) await tryLie('forgets', seed, stage, tally, new Set());
    assert.deepEqual(tally, { lies: 5, proved: 0, twins: 5 });
  });
});

function functionOf({ functions }: BuildResult, kind: string): BuildResult['functions'][number] {
  const found = functions.find(({ candidate }) => candidate.kind === kind);
  assert.ok(found, `no function of the kind ${kind}`);
  return found;
}
