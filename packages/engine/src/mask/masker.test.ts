import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { createAutomaton } from './automaton.ts';
import { MASK, createMasker } from './masker.ts';

const VALUE = `pa'ss "wörd" <1&2>/+=`;
const utf8 = Buffer.from(VALUE);

/** How sites, frameworks and programs write it. */
const SHOWN: Readonly<Record<string, string>> = {
  'as it is': VALUE,
  'in a query': encodeURIComponent(VALUE),
  'in a query with small digits': encodeURIComponent(VALUE).replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  'in a form': new URLSearchParams({ p: VALUE }).toString().slice(2),
  'in an address': encodeURI(VALUE),
  'in HTML text': VALUE.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  'in an attribute (React, Jinja)': `pa&#x27;ss &quot;wörd&quot; &lt;1&amp;2&gt;/+=`,
  'in an attribute (Python, Go)': `pa&#39;ss &#34;wörd&#34; &lt;1&amp;2&gt;/+=`,
  'in an attribute (PHP)': `pa&#039;ss &quot;wörd&quot; &lt;1&amp;2&gt;/+=`,
  'in HTML without letters beyond ASCII': `pa&#39;ss &quot;w&#246;rd&quot; &lt;1&amp;2&gt;/+=`,
  'in JSON': JSON.stringify(VALUE).slice(1, -1),
  'in JSON (PHP)': JSON.stringify(VALUE).slice(1, -1).replaceAll('/', '\\/').replaceAll('ö', '\\u00f6'),
  'in JSON (Python)': JSON.stringify(VALUE).slice(1, -1).replaceAll('ö', '\\u00f6'),
  'in JSON in HTML': JSON.stringify(VALUE)
    .slice(1, -1)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;'),
  'in base64': utf8.toString('base64'),
  'in base64 of Basic credentials': Buffer.from(`alice:${VALUE}`).toString('base64'),
  'in base64 behind two bytes': Buffer.from(`ab${VALUE}!`).toString('base64url'),
  'in base64 in a query': encodeURIComponent(utf8.toString('base64')),
  'in hexadecimal digits': utf8.toString('hex'),
  'in large hexadecimal digits': utf8.toString('hex').toUpperCase(),
};

suite('F66 a value that a site shows back', () => {
  const masker = createMasker([VALUE]);
  for (const [name, shown] of Object.entries(SHOWN))
    test(`is masked ${name}`, () => {
      const before = `It is [${shown}].`;
      const after = masker.text(before);
      assert.ok(after.includes(MASK), after);
      // What is left of base64 is less than a character of the value at each end.
      for (const piece of ['ss "', 'wörd', '1&2', 'ss%20', 'w%C3', '1%26', 'ss &quot;', 'w\\u00f6rd', utf8.toString('hex').slice(4, 12)])
        assert.ok(!after.includes(piece), after);
      assert.ok(after.length < before.length);
      assert.deepEqual(Buffer.from(masker.bytes(Buffer.from(before))).toString(), after);
    });

  test('is masked in the texts, names and numbers of JSON, at any depth', () => {
    const { json } = createMasker([VALUE, '482913']);
    assert.deepEqual(json({ a: [{ [VALUE]: `x${VALUE}y` }], code: 482_913, n: 48, is: true, none: null }), {
      a: [{ [MASK]: `x${MASK}y` }],
      code: MASK,
      n: 48,
      is: true,
      none: null,
    });
  });

  test('that is very short is masked as a word of its own alone', () => {
    const { text } = createMasker(['ab', '1.']);
    assert.equal(text('ab, table (ab) ab1 äab'), `${MASK}, table (${MASK}) ab1 äab`);
    assert.equal(text('11. 1.'), `11. ${MASK}`);
  });

  test('is masked whatever stands beside it, a combining mark included', () => {
    const { text } = createMasker(['secret', 'cretin']);
    assert.equal(text('secret\u0301'), `${MASK}\u0301`);
    assert.equal(text('secretin secretsecret'), `${MASK} ${MASK}`);
  });

  test('leaves what holds none of them as it is', () => {
    const bytes = Buffer.from([0, 255, 254, 128]);
    assert.equal(createMasker([]).text('nothing'), 'nothing');
    assert.equal(createMasker(['', VALUE]).bytes(bytes), bytes);
  });

  test('is never left, in whatever text, among whatever values', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '&', '"', 'ö', '%'), minLength: 4, maxLength: 7 });
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 5 }),
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '&', '"', 'ö', '%') })),
        (values, parts) => {
          const text = parts.map((part, i) => part + (values[i % values.length] ?? '')).join('');
          const masked = createMasker(values).text(text).replaceAll(MASK, '\0');
          for (const value of values) assert.ok(!masked.includes(value), `${JSON.stringify(value)} in ${JSON.stringify(masked)}`);
        },
      ),
    );
  });
});

suite('the search', () => {
  const unitsOf = (text: string) => ({ length: text.length, at: (index: number) => text.charCodeAt(index) });

  test('finds what a search for each text alone finds', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 });
    const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), text, (words, whole) => {
        const covered = new Set(
          words.flatMap((one) =>
            [...whole].flatMap((_, start) =>
              whole.startsWith(one, start) ? Array.from({ length: one.length }, (_unused, i) => start + i) : [],
            ),
          ),
        );
        const found = createAutomaton(words.map(unitsOf))(unitsOf(whole));
        const got = new Set(found.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i)));
        assert.deepEqual(
          [...got].toSorted((a, b) => a - b),
          [...covered].toSorted((a, b) => a - b),
        );
      }),
    );
  });

  test('takes one step a unit, also where texts begin alike again and again', () => {
    let asked = 0;
    const whole = 'a'.repeat(100_000);
    const units = { length: whole.length, at: (index: number) => (asked++, whole.charCodeAt(index)) };
    assert.deepEqual(createAutomaton([`${'a'.repeat(500)}b`, `${'a'.repeat(400)}c`].map(unitsOf))(units), []);
    assert.equal(asked, whole.length);
  });
});
