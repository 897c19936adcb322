import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Notice } from './delivery.ts';
import { findTemplateFault, renderTexts } from './templates.ts';

const NOTICE: Notice = {
  event: 'monitor.changed',
  level: 'warning',
  subject: { kind: 'monitor', id: 3, name: 'Shop' },
  data: {
    change: { kind: 'price', old: '10 €', new: '12 €', difference: '-10 €\n+12 €', link: 'https://shop.test/x' },
    run: { id: 9 },
  },
  atMs: Date.parse('2026-01-10T12:00:00Z'),
};
const body = (source: string, notices: readonly Notice[] = [NOTICE]) => renderTexts({ body: source }, notices).body;

suite('words without templates', () => {
  test('say who, what, and from what to what', () => {
    const { title, body: text, note } = renderTexts({}, [NOTICE]);
    assert.equal(title, 'Shop: changed');
    assert.equal(text, '10 € → 12 €\n-10 €\n+12 €\nhttps://shop.test/x');
    assert.equal(note, undefined);
  });

  test('of a digest have a line for each', () => {
    const other: Notice = { ...NOTICE, event: 'monitor.error', subject: { kind: 'monitor', id: 4 }, data: { message: 'No answer.' } };
    const { title, body: text } = renderTexts({}, [NOTICE, other]);
    assert.equal(title, '2 notices: Shop, monitor 4');
    assert.equal(text, '- Shop: changed, 10 € → 12 €, https://shop.test/x\n- monitor 4: error, No answer.');
  });

  test('follow no link that is none', () => {
    const data = { link: 'javascript:alert(1)', message: 'x' };
    assert.equal(renderTexts({}, [{ ...NOTICE, data }]).body, 'x');
  });
});

suite('templates', () => {
  test('have the variables that are promised', () => {
    const source =
      '{{ event }}|{{ level }}|{{ at }}|{{ subject.id }}|{{ monitor.name }}|{{ run.id }}|{{ automation.id }}|{{ change.kind }}|{{ change.old }}|{{ change.new }}|{{ change.link }}|{{ link }}|{{ count }}|{% for n in notices %}{{ n.subject.name }}{% endfor %}';
    assert.equal(
      body(source),
      'monitor.changed|warning|2026-01-10T12:00:00.000Z|3|Shop|9||price|10 €|12 €|https://shop.test/x|https://shop.test/x|1|Shop',
    );
  });

  test('a title is one line, however it is written', () =>
    assert.equal(renderTexts({ title: 'a\r\nBcc: {{ change.difference }}' }, [NOTICE]).title, 'a Bcc: -10 € +12 €'));

  const faults: readonly (readonly [promise: string, source: string, place: RegExp])[] = [
    ['a tag that there is none of', 'a\n b {% nope %}', /^line 2, column 4: .*nope/],
    ['a filter that there is none of', '{{ event | nope }}', /^line 1, column 1: .*nope/],
    ['a tag that is not closed', '{% if event %}', /^line 1, column 1: .*not closed/],
    ['reading a file', '{% include "/etc/passwd" %}', /include/],
    ['rendering a file', '{% render "/etc/passwd" %}', /render/],
    ['a layout', '{% layout "/etc/passwd" %}', /layout/],
    ['more memory than there is', '{% for i in (1..100000000) %}x{% endfor %}', /memory/],
    ['more time than there is', '{% for i in (1..99999) %}{% for j in (1..99999) %}{% endfor %}{% endfor %}', /limit/],
  ];
  for (const [promise, source, place] of faults)
    test(`refuses ${promise}, and says where`, () => {
      const fault = findTemplateFault({ body: source }, [NOTICE]);
      assert.equal(fault?.name, 'body');
      assert.match(fault.message, place);
    });

  test('that fail when they are needed leave the usual words, and say so', () => {
    const { title, body: text, note } = renderTexts({ title: '{{ event | nope }}', body: 'fine' }, [NOTICE]);
    assert.deepEqual([title, text], ['Shop: changed', 'fine']);
    assert.match(note ?? '', /template of the title failed: line 1.*usual words/);
  });

  test('that come to nothing leave the usual words', () =>
    assert.match(renderTexts({ body: '{{ nothing }}' }, [NOTICE]).note ?? '', /came to nothing/));

  test('reach nothing but their variables', () => {
    assert.equal(body('x{{ event.constructor }}{{ subject.__proto__ }}{{ constructor.constructor }}'), 'x');
  });
});
