import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { SealedText } from '../value.ts';
import { TemplateError, parseTemplate } from './parse.ts';
import { referencesOf } from './references.ts';
import { renderJson, renderPlain, renderText, renderUrl, renderValue } from './render.ts';

const SCOPE = {
  inputs: { q: 'tea & toast', n: 3, list: [1, 2, 3], path: '../x', 'odd name': 'odd' },
  vars: { rows: [{ t: 'a' }, { t: 'b' }], empty: '', no: false },
  steps: { one: { out: { title: ' Dune ', price: '4.50' } } },
};

suite('templates', () => {
  for (const [template, value] of [
    ['plain', 'plain'],
    ['{{inputs.n}}', 3],
    ['{{ inputs.list }}', [1, 2, 3]],
    ['n={{inputs.n}}', 'n=3'],
    ['{{inputs.list[1]}}', 2],
    ['{{inputs.list[-1]}}', 3],
    ['{{inputs["odd name"]}}', 'odd'],
    ['{{vars.gone}}', null],
    ['<{{vars.gone}}>', '<>'],
    ['{{vars.gone | default: "none"}}', 'none'],
    ['{{vars.no | default: 1}}', 1],
    ['{{steps.one.out.title | strip | upcase}}', 'DUNE'],
    ['{{"x" | append: "y" | prepend: inputs.n}}', '3xy'],
    ['{{inputs.q | split: " & " | join: "+"}}', 'tea+toast'],
    ['{{inputs.q | replace: "tea", "$&"}}', '$& & toast'],
    ['{{inputs.q | remove: "tea "}}', '& toast'],
    ['{{inputs.q | slice: 0, 3 | downcase}}', 'tea'],
    ['{{inputs.list | slice: -2, 2}}', [2, 3]],
    ['{{inputs.list | first}}', 1],
    ['{{inputs.list | last}}', 3],
    ['{{inputs.list | size}}', 3],
    ['{{vars.rows | map: "t" | join: ","}}', 'a,b'],
    ['{{vars.rows.size}}', 2],
    ['{{0.1 | plus: 0.2}}', 0.3],
    ['{{inputs.n | minus: 1 | times: 2}}', 4],
    ['{{steps.one.out.price | times: 2}}', 9],
    ['{{inputs.q | plus: 1}}', null],
    ['{{inputs.list | json}}', '[1,2,3]'],
    ['{{inputs.q | url_encode}}', 'tea%20%26%20toast'],
    ['{{"{{"}}', '{{'],
  ] as const)
    test(`${template} gives ${JSON.stringify(value)}`, () => assert.deepEqual(renderValue(template, SCOPE), value));

  for (const template of [
    '{{',
    '{{inputs.q',
    '{{}}',
    '{{a b}}',
    '{{a | }}',
    '{{a | b c}}',
    '{{1 + 1}}',
    '{{a()}}',
    '{{inputs..q}}',
    '{{x}} {{',
  ])
    test(`${template} is refused`, () => assert.throws(() => parseTemplate(template), TemplateError));

  test('a filter that there is not is refused when it is kept and when it is filled in', () => {
    assert.throws(() => referencesOf('{{inputs.q | eval}}'), /has the filter eval; there are default/);
    assert.throws(() => renderValue('{{inputs.q | constructor}}', SCOPE), TemplateError);
  });

  test('values stay within their place in an address, and an address may begin with one', () => {
    assert.equal(renderUrl('https://x.test/{{inputs.path}}?q={{inputs.q}}', SCOPE), 'https://x.test/..%2Fx?q=tea%20%26%20toast');
    assert.equal(renderUrl('{{inputs.base}}/a', { inputs: { base: 'https://x.test/b' } }), 'https://x.test/b/a');
  });

  test('secrets stay sealed, and are refused where they would be shown', () => {
    const text = renderText('Bearer {{secret:TOKEN}}', SCOPE);
    assert.ok(text instanceof SealedText);
    assert.deepEqual(text.parts, ['Bearer ', { kind: 'secret', key: 'TOKEN' }]);
    assert.equal(JSON.stringify({ text }), '{"text":"Bearer [masked]"}');
    assert.throws(() => renderPlain('{{persona.password}}', SCOPE), TemplateError);
    assert.throws(() => renderUrl('https://x.test/?k={{secret:TOKEN}}', SCOPE), TemplateError);
    assert.throws(() => renderValue('{{vars.s | upcase}}', { vars: { s: new SealedText([]) } }), TemplateError);
  });

  test('nothing is found on prototypes (F24)', () => {
    for (const path of ['__proto__', 'constructor', 'inputs.constructor', 'inputs.toString', 'vars.rows.constructor', 'inputs.q.length'])
      assert.equal(renderValue(`{{${path}}}`, SCOPE), null, path);
    const made = renderJson(JSON.parse('{"__proto__":{"polluted":"{{inputs.n}}"}}'), SCOPE) as object;
    assert.deepEqual([Object.hasOwn(made, '__proto__'), ({} as { polluted?: number }).polluted], [true, undefined]);
  });

  test('any text without braces is itself, and any value keeps its place in an address', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('{{')),
        (text) => renderValue(text, {}) === text || (text === '' && renderText(text, {}) === ''),
      ),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const url = new URL(renderUrl('https://x.test/a/{{inputs.v}}/b?v={{inputs.v}}#{{inputs.v}}', { inputs: { v: value } }));
        const isDots = value === '.' || value === '..';
        return (
          url.host === 'x.test' && (isDots || url.pathname.split('/').length === 4) && url.searchParams.get('v') === value.toWellFormed()
        );
      }),
    );
  });

  test('whatever is written, it is read or refused, never anything else', () => {
    const piece = fc.constantFrom('{{', '}}', '|', ':', ',', '"', "'", '.', '[', ']', 'inputs', 'secret:K', ' ', '1', 'upcase', '{', '}');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
        (template) => {
          try {
            referencesOf(template);
          } catch (error) {
            assert.ok(error instanceof TemplateError, String(error));
          }
        },
      ),
    );
  });
});
