import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { DEFAULT_BUILD_LIMITS, recheckFunction, verifyCertificate } from '@weft/engine';
import type { BuildResult } from '@weft/engine';
import { startBuildStage } from '../build-stage.ts';
import type { BuildStage } from '../build-stage.ts';
import type { ApiSite, DetailEdits } from '../sites/api-sites.ts';
import { GOODS, startDetails } from '../sites/api-sites.ts';

const OBJECTIVE = 'get one good with maker and price';

suite('a function that answers one record', () => {
  const edits: DetailEdits = { sold: new Set(), isEmpty: false };
  let site: ApiSite;
  let stage: BuildStage;
  let asked: readonly string[];
  let result: BuildResult;
  before(async () => {
    stage = startBuildStage();
    site = await startDetails(edits);
    result = await stage.build({ url: site.url, objective: OBJECTIVE });
    asked = [...site.asked];
  });
  after(async () => {
    await stage[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  const detail = () => {
    const found = result.functions.find(({ candidate }) => candidate.kind === 'detail');
    assert.ok(found, 'no function of the kind detail');
    return found;
  };

  test('has the key of its page as input and says what differs, what is labelled, and nothing of the frame or the moment', () => {
    const { name, workflow, sample, certificate } = detail();
    assert.equal(name, 'get_good');
    assert.deepEqual(workflow.inputs?.['required'], ['good']);
    const id = Number(certificate.probes[0]?.inputs['good']);
    const good = GOODS.find((each) => each.id === id);
    const { text, ...row } = sample[0] ?? {};
    assert.deepEqual(row, {
      title: good?.name,
      maker: good?.maker,
      price: { amount: good?.price, currency: 'EUR' },
      delivery: 'two days',
      // A dash says that there is nothing; where all pages have one, there is no such field.
      wood: id % 3 === 0 ? null : 'oak',
    });
    assert.match(String(text), new RegExp(`^${good?.name} left the workshop`));
  });

  test('is proved by two pages that it was not made from, by the first again, and by a key that nobody can know', async () => {
    const { certificate } = detail();
    const { state, probes, rules } = certificate;
    assert.equal(state, 'proved', certificate.reason);
    assert.deepEqual(
      probes.map(({ role, rows, answer }) => [role, rows, answer?.status]),
      [
        ['recorded', 1, 200],
        ['second', 1, 200],
        ['negative', 0, 404],
        ['repeat', 1, 200],
      ],
    );
    const drafted = result.catalogue.details.find(({ unused }) => unused === undefined)?.examples ?? [];
    assert.equal(drafted.length, 3);
    for (const { answer } of probes) assert.ok(!drafted.includes(answer?.url ?? ''), answer?.url);
    assert.ok(rules.some(({ rule, verdict }) => rule === 'negative_none' && verdict === 'holds'));
    const kept = await verifyCertificate(certificate, async (sha256) => stage.answers.get(sha256));
    assert.deepEqual(kept, { holds: true, state: 'proved', faults: [] });
  });

  test('stands in the document of the API with its proof, and costs few requests', () => {
    const { paths } = result.openapi as { readonly paths: Record<string, { readonly post: Record<string, unknown> }> };
    const proof = paths[`/${detail().name}`]?.post['x-proof'] as { readonly state: string; readonly calls: readonly unknown[] };
    assert.deepEqual([proof.state, proof.calls.length], ['proved', 4]);
    assert.ok(asked.length <= 30, `${asked.length} requests`);
  });

  test('holds when it is proved again, where its first record is gone too, and says what it no longer finds', async () => {
    const options = {
      url: site.url,
      objective: OBJECTIVE,
      respectRobots: true,
      aiSupervise: false,
      isDiscovery: false,
      limits: DEFAULT_BUILD_LIMITS,
    };
    const recheck = async () => (await recheckFunction(detail(), options, stage.portsFor(site.url), new AbortController().signal)).change;
    assert.equal(await recheck(), undefined);
    edits.sold.add(Number(detail().certificate.probes[0]?.inputs['good']));
    assert.equal(await recheck(), undefined);
    edits.isEmpty = true;
    const change = await recheck();
    assert.equal(change?.kind, 'list_empty', change?.message);
  });
});
