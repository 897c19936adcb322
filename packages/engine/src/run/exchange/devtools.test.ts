import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parse } from '@puppeteer/replay';
import { NewWorkflow } from '@weft/contract';
import fc from 'fast-check';
import { checkWorkflow } from '../definition/check.ts';
import { exportDevTools, importDevTools } from './devtools.ts';
import { ExchangeError } from './untrusted.ts';

const text = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('{{x}}', '{{{', 'a {{"{{"}} b', 'ü'));
const words = fc.string({ minLength: 1, maxLength: 12 });
const selector = fc.oneof(
  words.map((name) => `aria/${name}`),
  fc.constantFrom('#go', 'a[', 'text/Go', 'xpath///*[@id="go"]', 'pierce/#go', 'div > a'),
);
const selectors = fc.array(fc.oneof(selector, fc.array(selector, { minLength: 1, maxLength: 3 })), { minLength: 1, maxLength: 4 });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const events = fc.array(fc.record({ type: fc.constant('navigation'), url: text, title: text }), { maxLength: 2 });
const place = { frame: optional(fc.array(fc.nat(3), { maxLength: 2 })), target: optional(fc.constantFrom('main', 'https://a.test/pop')) };
const shared = { timeout: optional(fc.integer({ min: 1, max: 30_000 })), assertedEvents: optional(events) };
const of = (type: string, fields: Record<string, fc.Arbitrary<unknown>>) => fc.record({ type: fc.constant(type), ...shared, ...fields });
const pointer = {
  ...place,
  selectors,
  offsetX: fc.double({ min: -5, max: 900, noNaN: true }),
  offsetY: fc.double({ min: -5, max: 900, noNaN: true }),
  button: optional(fc.constantFrom('primary', 'auxiliary', 'secondary', 'back')),
  duration: optional(fc.nat(500)),
};
const size = fc.integer({ min: 100, max: 4000 });
const key = fc.constantFrom('a', 'Enter', 'Tab', 'Shift', 'Control', 'KeyA');

/** Steps as the Recorder's schema has them. */
const recordedStep = fc.oneof(
  of('navigate', { target: place.target, url: fc.webUrl() }),
  of('setViewport', {
    width: size,
    height: size,
    deviceScaleFactor: fc.constantFrom(1, 2),
    isMobile: fc.boolean(),
    hasTouch: fc.boolean(),
    isLandscape: fc.boolean(),
  }),
  of('click', pointer),
  of('doubleClick', pointer),
  of('hover', { ...place, selectors }),
  of('change', { ...place, selectors, value: text }),
  of('keyDown', { target: place.target, key }),
  of('keyUp', { target: place.target, key }),
  of('scroll', { ...place, x: optional(fc.nat(900)), y: optional(fc.nat(900)) }),
  of('scroll', { ...place, selectors, x: optional(fc.nat(900)), y: optional(fc.nat(900)) }),
  of('emulateNetworkConditions', { download: fc.nat(9999), upload: fc.nat(9999), latency: fc.nat(999) }),
  of('close', { target: place.target }),
  of('waitForElement', {
    ...place,
    selectors,
    operator: optional(fc.constantFrom('>=', '==', '<=')),
    count: optional(fc.nat(5)),
    visible: optional(fc.boolean()),
    attributes: optional(fc.dictionary(words, text, { maxKeys: 2 })),
    properties: optional(fc.dictionary(words, fc.boolean(), { maxKeys: 2 })),
  }),
  of('waitForExpression', { frame: place.frame, expression: words }),
  of('customStep', { name: words, parameters: fc.constant({ a: 1 }) }),
);
const recording = fc.record({
  title: text,
  timeout: optional(fc.integer({ min: 1, max: 30_000 })),
  steps: fc
    .tuple(of('navigate', { url: fc.constant('https://a.test/') }), fc.array(recordedStep, { maxLength: 12 }))
    .map(([first, rest]) => [first, ...rest]),
});

/** What only a workflow has. */
const OWN_STEPS = [
  { id: 'list', type: 'extractList', fields: { title: { selectors: ['h3'] } } },
  { id: 'each', type: 'forEach', items: '{{steps.list.out}}', body: [{ id: 'inner', type: 'setVar', name: 'x', value: '{{item.title}}' }] },
  { id: 'ask', type: 'request', url: 'https://a.test/?q={{inputs.q}}', save_as: 'answer' },
  { id: 'press', type: 'click', selectors: ['role/button[name="Go"]', 'label/"Go"'], title: 'Go', retry: { times: 2 } },
  { id: 'plain', type: 'click', selectors: ['#go'] },
  { id: 'plain_too', type: 'click', selectors: ['#go'], title: 'The second' },
  { id: 'word', type: 'change', selectors: ['#q'], value: '{{inputs.q}}' },
  { id: 'secret', type: 'change', selectors: ['#p'], value: '{{persona.password}}', timeout: 60_000 },
  { id: 'end', type: 'scroll' },
  { id: 'wait', type: 'waitForElement', selectors: ['#go'] },
];
const workflow = fc
  .record({ name: words, place: fc.shuffledSubarray(OWN_STEPS, { minLength: 1 }), lane: fc.constantFrom('auto', 'browser') })
  .map(({ name, place: steps, lane }) =>
    NewWorkflow.parse({
      name: name.trim() || 'x',
      lane,
      inputs: { type: 'object', properties: { q: { type: 'string', default: 'tea' } } },
      steps: OWN_STEPS.filter((step) => steps.includes(step)),
      finally: [{ id: 'last', type: 'stop' }],
      limits: { max_pages: 3 },
    }),
  );

suite('DevTools recordings', () => {
  test('are workflows that nothing is wrong with, whatever was recorded', () => {
    fc.assert(
      fc.property(recording, (flow) => {
        const { workflow: read } = importDevTools(JSON.stringify(flow));
        NewWorkflow.parse(read);
        assert.deepEqual(checkWorkflow(read), []);
      }),
    );
  });

  test('that are exported again give the same workflow, and DevTools takes them', () => {
    fc.assert(
      fc.property(recording, (flow) => {
        const { workflow: read } = importDevTools(JSON.stringify(flow));
        const written = exportDevTools(read);
        parse(JSON.parse(written));
        assert.deepEqual(importDevTools(written), { workflow: read, leftOut: [] });
      }),
    );
  });

  test('carry every workflow there and back, through DevTools itself', () => {
    fc.assert(
      fc.property(workflow, (kept) => {
        const throughDevTools = JSON.stringify(parse(JSON.parse(exportDevTools(kept))));
        assert.deepEqual(importDevTools(throughDevTools), { workflow: kept, leftOut: [] });
      }),
    );
  });

  test('lose what was changed in DevTools to that change alone', () => {
    const kept = NewWorkflow.parse({ name: 'x', steps: OWN_STEPS.filter(({ id }) => /plain/.test(id)) });
    const flow = JSON.parse(exportDevTools(kept)) as { steps: Record<string, unknown>[] };
    const clicks = flow.steps.filter(({ type }) => type === 'click');
    Object.assign(clicks[0] ?? {}, { offsetX: 9 });
    const [changed, whole] = importDevTools(JSON.stringify(flow)).workflow.steps;
    assert.deepEqual(changed, { id: 's1', type: 'click', selectors: ['#go'], offset_x: 9, offset_y: 1 });
    assert.deepEqual(
      whole,
      OWN_STEPS.find(({ id }) => id === 'plain'),
    );
  });

  test('propose what was typed as inputs, and never a password or a code', () => {
    const typed = (name: string, value: string) => ({ type: 'change', selectors: [[`aria/${name}`], [`#${name.toLowerCase()}`]], value });
    const steps = [
      typed('E-mail', 'ann@a.test'),
      typed('Password', 'hunter2!'),
      typed('One-time code', '123456'),
      typed('E-mail', 'bob@a.test'),
    ];
    const { workflow: read } = importDevTools(JSON.stringify({ title: 'Login', steps }));
    assert.deepEqual(
      read.steps.map((step) => step.type === 'change' && step.value),
      ['{{inputs.e_mail}}', '{{persona.password}}', '{{persona.totp}}', '{{inputs.e_mail_2}}'],
    );
    assert.deepEqual(read.inputs, {
      type: 'object',
      properties: { e_mail: { type: 'string', default: 'ann@a.test' }, e_mail_2: { type: 'string', default: 'bob@a.test' } },
    });
    assert.ok(!JSON.stringify(read).includes('hunter2'));
  });

  test('leave out the keys of a text that was typed, and keep those that act', () => {
    const keys = (type: string, ...names: string[]) => names.map((key) => ({ type, key }));
    const steps = [
      ...keys('keyDown', 'Shift', 'A'),
      ...keys('keyUp', 'A'),
      { type: 'change', selectors: ['#q'], value: 'A' },
      ...keys('keyUp', 'Shift'),
      ...keys('keyDown', 'Enter'),
      ...keys('keyUp', 'Enter'),
    ];
    const { workflow: read, leftOut } = importDevTools(JSON.stringify({ title: 'x', steps }));
    assert.deepEqual(
      read.steps.map(({ type }) => type),
      ['change', 'keyDown', 'keyUp'],
    );
    assert.match(leftOut[0]?.message ?? '', /^4 steps of single keys/);
  });

  test('refuse what is no recording', () => {
    for (const wrong of ['', '[]', '{}', '{"title":"x","steps":[]}', '{"title":"x","steps":[{"type":"customStep"}]}'])
      assert.throws(() => importDevTools(wrong), ExchangeError, wrong);
  });
});
