import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Difference } from '@weft/contract';
import { assert as check, constantFrom, property, string } from 'fast-check';
import { parseTree } from '../../html/tree.ts';
import { diffItems, diffJson } from '../json.ts';
import { sideBySide } from '../side-by-side.ts';
import { diffText } from '../text.ts';
import { unifiedDiff } from '../unified.ts';
import { renderDifference } from './render.ts';

const FORMS = ['html', 'markdown', 'text'] as const;
const forms = (difference: Difference) => FORMS.map((form) => renderDifference(difference, form));

suite('a difference for people', () => {
  test('of words', () => {
    assert.deepEqual(forms(diffText('Price: 10 *EUR*', 'Price: 12 *EUR*', 'word')), [
      '<pre>\nPrice: <del>10</del><ins>12</ins> *EUR*\n</pre>',
      'Price: ~~10~~**12** \\*EUR\\*\n',
      'Price: [-10-]{+12+} *EUR*\n',
    ]);
  });

  test('of lines, with three around a change', () => {
    const old = Array.from({ length: 9 }, (_, i) => `${i + 1}\n`);
    const diff = diffText(old.join(''), old.with(8, 'nine\n').join(''), 'line');
    assert.deepEqual(forms(diff), [
      '<pre>\n…\n6\n7\n8\n<del>9</del>\n<ins>nine</ins>\n</pre>',
      '```diff\n  …\n  6\n  7\n  8\n- 9\n+ nine\n```\n',
      '  …\n  6\n  7\n  8\n- 9\n+ nine\n',
    ]);
  });

  test('of a patch', () => {
    const diff = unifiedDiff('a\nb\n', 'a\nc', { context: 1 });
    assert.equal(renderDifference(diff, 'text'), '  @@ -1,2 +1,2 @@\n  a\n- b\n+ c\n  \\ No newline at end of file\n');
  });

  test('of two columns', () => {
    const diff = sideBySide('x\ny\nthe old one\n', 'x\ny\nthe new one\nmore\n', { context: 1 });
    assert.equal(
      renderDifference(diff, 'html'),
      '<table><tr><td colspan="4">… 1 equal line</td></tr>' +
        '<tr><td>2</td><td>y</td><td>2</td><td>y</td></tr>' +
        '<tr><td>3</td><td>the <del>old</del> one</td><td>3</td><td>the <ins>new</ins> one</td></tr>' +
        '<tr><td></td><td></td><td>4</td><td><ins>more</ins></td></tr></table>',
    );
    assert.equal(renderDifference(diff, 'text'), '  …\n  y\n- the old one\n+ the new one\n+ more\n');
  });

  test('of JSON and of items', () => {
    assert.deepEqual(forms(diffJson({ price: 10, tag: 'x' }, { price: 12, new: [1] })), [
      '<ul><li>/price: <del>10</del> <ins>12</ins></li><li>/new: <ins>[1]</ins></li><li>/tag: <del>x</del></li></ul>',
      '- /price: ~~10~~ **12**\n- /new: **[1]**\n- /tag: ~~x~~\n',
      '/price: [-10-] {+12+}\n/new: {+[1]+}\n/tag: [-x-]\n',
    ]);
    const items = diffItems(
      [
        { sku: 'A', p: 1 },
        { sku: 'B', p: 2 },
        { sku: 'C', p: 3 },
      ],
      [
        { sku: 'C', p: 3 },
        { sku: 'A', p: 9 },
        { sku: 'D', p: 4 },
      ],
    );
    assert.equal(
      renderDifference(items, 'text'),
      '{+{"sku":"D","p":4}+}\n[-{"sku":"B","p":2}-]\nA /p: [-1-] {+9+}\nitem 3 is now item 1\n',
    );
  });

  test('of pictures', () => {
    const size = { width: 100, height: 50 };
    const hashes = { old_hash: '0000000000000000', new_hash: '0000000000000000', hash_distance: 0 };
    const shared = {
      kind: 'pictures' as const,
      old: size,
      compared: size,
      compared_pixels: 5000,
      boxes: [{ x: 0, y: 0, width: 5, height: 5 }],
      boxes_left_out: 0,
      ...hashes,
    };
    assert.equal(
      renderDifference({ ...shared, new: size, same_size: true, changed_pixels: 25, share: 0.005 }, 'text'),
      '0.5 % of 5000 pixels changed, in 1 place.\n',
    );
    assert.match(
      renderDifference(
        { ...shared, new: { width: 100, height: 60 }, same_size: false, changed_pixels: 0, share: 0, boxes: [] },
        'markdown',
      ),
      /^- The picture was 100 x 50/,
    );
  });

  test('is empty where nothing changed', () => {
    for (const diff of [
      diffText('a', 'a', 'word'),
      diffText('a', 'a', 'line'),
      unifiedDiff('a', 'a'),
      sideBySide('a', 'a'),
      diffJson(1, 1),
      diffItems([1], [1]),
    ])
      assert.deepEqual(forms(diff), ['', '', '']);
  });

  test('says how much it leaves out, and cuts what is long', () => {
    const lines = (word: string) => Array.from({ length: 300 }, (_, i) => `${word} ${i}\n`).join('');
    assert.match(renderDifference(diffText(lines('a'), lines('b'), 'line'), 'text'), /\n… and 400 more lines\n$/);
    const long = renderDifference(diffText('', 'x'.repeat(100_000), 'word'), 'text');
    assert.ok(long.length < 1100 && long.includes('…'));
  });
});

suite('what a difference holds is text and nothing else', () => {
  const hostile = constantFrom(
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '&lt;b&gt;',
    '</pre><b>',
    '```\n# h',
    "' onclick='",
    '</del><i>',
  );

  test('in HTML there are no elements but ours, and the text is as it was', () => {
    check(
      property(hostile, hostile, constantFrom('word', 'line', 'json', 'side_by_side'), (old, fresh, kind) => {
        const diff =
          kind === 'json'
            ? diffJson({ [old]: old }, { [old]: fresh })
            : kind === 'side_by_side'
              ? sideBySide(old, fresh)
              : diffText(old, fresh, kind as 'word');
        const html = renderDifference(diff, 'html');
        const names = [...html.matchAll(/<\/?([^\s>]*)[^>]*>/g)].map(([, name]) => name);
        assert.ok(
          names.every((name) => ['pre', 'ul', 'li', 'del', 'ins', 'table', 'tr', 'td'].includes(name ?? '')),
          html,
        );
        assert.ok(parseTree(html, 'https://page.invalid/'));
      }),
    );
  });

  test('in Markdown a fence cannot be closed from inside', () => {
    const text = renderDifference(diffText('', '````\n# heading\n', 'line'), 'markdown');
    assert.equal(text, '`````diff\n+ ````\n+ # heading\n`````\n');
  });

  test('no form throws or breaks a pair of surrogates', () => {
    check(
      property(string({ unit: 'binary' }), string({ unit: 'binary' }), (old, fresh) => {
        for (const unit of ['word', 'line'] as const) for (const text of forms(diffText(old, fresh, unit))) assert.ok(text.isWellFormed());
      }),
    );
  });
});
