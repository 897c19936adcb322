import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { newestRung } from '@weft/engine';
import type { BuildResult } from '@weft/engine';
import { startBuildStage } from '../build-stage.ts';
import type { BuildStage } from '../build-stage.ts';
import { findBrowser } from '../browser.ts';
import {
  GOODS,
  MEMBERS,
  goodsFor,
  startCursor,
  startGraphql,
  startMeddling,
  startMembers,
  startXhr,
  startXhrDetails,
} from '../sites/api-sites.ts';

const OBJECTIVE = 'search goods by name with price and maker';
const REQUESTS_MAX = 60;

suite('a build of a site that scripts fill', () => {
  let stage: BuildStage;
  before(async () => {
    stage = startBuildStage(await findBrowser());
  });
  after(() => stage[Symbol.asyncDispose]());

  test('makes a function without a browser of what a script asks for the word that was typed', async () => {
    await using site = await startXhr();
    const result = await stage.build({ url: site.url, objective: OBJECTIVE });
    requireRendered(result);
    const search = searchOf(result);
    assert.deepEqual([search.certificate.lane, search.candidate.paging?.mode], ['http', 'input']);
    const recorded = search.certificate.probes.find(({ role }) => role === 'recorded');
    assert.equal(recorded?.rows, goodsFor(recorded?.word ?? '').length);
    assert.deepEqual(search.sample[0], { ...goodsFor(recorded?.word ?? '')[0] });
    const [request] = result.catalogue.requests;
    assert.deepEqual([request?.method, request?.status, new URL(request?.provenance.url ?? '').pathname], ['GET', 200, '/']);
    assert.ok(site.asked.length <= REQUESTS_MAX, `${site.asked.length} requests`);
  });

  test('proves a search whose words find one row each, and the list at its address', async () => {
    await using site = await startMembers();
    const result = await stage.build({ url: site.url, objective: 'search members by name' });
    requireRendered(result);
    const search = searchOf(result);
    assert.deepEqual(
      search.certificate.probes.map(({ role, rows }) => [role, rows]),
      [
        ['recorded', 1],
        ['second', 1],
        ['negative', 0],
        ['repeat', 1],
        ['page_2', 0],
      ],
    );
    assert.deepEqual(search.sample, [MEMBERS.find(({ name }) => name.toLowerCase() === search.certificate.probes[0]?.word)]);
    const list = result.catalogue.candidates.find(({ kind, lane }) => kind === 'list' && lane === 'http');
    assert.deepEqual([list?.paging?.mode, list?.rows], ['input', 8]);
  });

  for (const isClicked of [false, true])
    test(`answers one record by the key that rows have, as scripts ask for it${isClicked ? ' where a row is clicked' : ''}`, async () => {
      await using site = await startXhrDetails(isClicked);
      const result = await stage.build({ url: site.url, objective: 'get one of the goods by id with name, maker and story' });
      requireRendered(result);
      const detail = result.functions.find(({ candidate }) => candidate.kind === 'detail');
      assert.deepEqual([detail?.certificate.state, detail?.certificate.lane], ['proved', 'http'], detail?.certificate.reason);
      const good = GOODS.find(({ id }) => String(id) === detail?.certificate.probes[0]?.inputs['good']);
      assert.deepEqual(detail?.sample, [{ ...good, story: `The ${good?.name} is made by ${good?.maker}.` }]);
      assert.equal(detail?.certificate.probes.find(({ role }) => role === 'negative')?.answer?.status, 404);
      assert.ok(site.asked.every((each) => each.startsWith('GET ')));
    });

  test('keeps the operation of GraphQL and varies its variable', async () => {
    await using site = await startGraphql();
    const result = await stage.build({ url: site.url, objective: OBJECTIVE });
    requireRendered(result);
    const { candidate, certificate } = searchOf(result);
    assert.deepEqual([candidate.way.kind, certificate.lane], ['request', 'http']);
    assert.ok(site.asked.every((each) => each.startsWith('GET') || each === 'POST /graphql'));
  });

  test('lets a page read and search, and nothing that its scripts would change', async () => {
    await using site = await startMeddling();
    const result = await stage.build({ url: site.url, objective: OBJECTIVE });
    requireRendered(result);
    assert.ok(site.asked.some((each) => each.startsWith('GET /api/goods?q=')));
    assert.deepEqual(
      site.asked.filter((each) => !each.startsWith('GET ')),
      [],
    );
  });

  test('follows the cursor of an answer to further pages', async () => {
    await using site = await startCursor();
    const result = await stage.build({ url: site.url, objective: 'list goods with price and maker' });
    requireRendered(result);
    const list = result.functions.find(({ candidate }) => candidate.lane === 'http');
    assert.deepEqual([list?.certificate.state, list?.candidate.paging?.mode], ['proved', 'cursor']);
  });
});

function requireRendered({ ladder }: BuildResult): void {
  assert.deepEqual(
    ladder.map(({ rung, status, fallbackReason }) => [rung, status, fallbackReason]),
    [
      ['static', 'replaced', 'no_structured_list'],
      ['rendered', 'proved', undefined],
    ],
  );
  assert.match(ladder[0]?.measured ?? '', /1 of them to be filled by scripts/);
  assert.equal(newestRung(ladder).status, 'proved');
}

function searchOf({ functions }: BuildResult): BuildResult['functions'][number] {
  const found = functions.find(({ candidate, certificate }) => candidate.kind === 'search' && certificate.state === 'proved');
  assert.ok(found, 'no search is proved');
  return found;
}
