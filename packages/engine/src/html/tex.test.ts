import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elementsBelow } from './walk.ts';
import { parseTree } from './tree.ts';
import { texOf } from './tex.ts';

function texOfHtml(html: string): string {
  const { body } = parseTree(html, 'https://x.test/');
  for (const element of elementsBelow(body)) if (element.name === 'math') return texOf(element);
  return assert.fail('no formula');
}

const CASES: readonly (readonly [promise: string, mathml: string, tex: string])[] = [
  ['the annotation', '<semantics><mi>x</mi><annotation encoding="application/x-tex"> x^{2} </annotation></semantics>', 'x^{2}'],
  ['no annotation of another kind', '<semantics><mi>x</mi><annotation encoding="SnuggleTeX">y</annotation></semantics>', 'x'],
  ['a fraction', '<mfrac><mn>1</mn><mn>2</mn></mfrac>', '\\frac{1}{2}'],
  ['a binomial', '<mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac>', '\\binom{n}{k}'],
  ['powers and indices', '<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msub><mi>a</mi><mn>10</mn></msub>', 'x^2+a_{10}'],
  ['both scripts', '<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>', 'x_i^2'],
  ['roots', '<msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>', '\\sqrt{a+b}\\sqrt[3]{x}'],
  ['rows inside parts', '<mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mi>b</mi></mfrac>', '\\frac{a+1}{b}'],
  ['limits', '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>', '\\sum_{i=1}^ni'],
  ['a lower limit', '<munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder>', 'lim_{x\\to0}'],
  ['a hat', '<mover><mi>x</mi><mo>^</mo></mover>', '\\hat{x}'],
  [
    'a table',
    '<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr></mtable>',
    '\\begin{matrix} a & b \\\\ c & d \\end{matrix}',
  ],
  ['fences', '<mfenced><mi>a</mi><mi>b</mi></mfenced>', '(a, b)'],
  ['words', '<mi>x</mi><mtext> if </mtext><mi>y</mi>', 'x\\text{ if }y'],
  ['signs and letters as commands', '<mi>α</mi><mo>≤</mo><mi>β</mi><mi>c</mi>', '\\alpha\\le\\beta c'],
  ['no invisible signs', '<mi>f</mi><mo>&#x2061;</mo><mi>x</mi>', 'fx'],
  ['signs that TeX takes for its own', '<mn>5</mn><mo>%</mo><mi>a_b</mi>', '5\\%a\\_b'],
  ['nothing for nothing', '', ''],
];
for (const [promise, mathml, tex] of CASES) test(`reads ${promise}`, () => assert.equal(texOfHtml(`<math>${mathml}</math>`), tex));

test('prefers alttext to the tree, and takes the style of MediaWiki off', () => {
  assert.equal(texOfHtml('<math alttext="{\\displaystyle E=mc^{2}}"><mi>E</mi></math>'), 'E=mc^{2}');
});

test('bears the deepest formula', () => {
  assert.match(texOfHtml(`<math>${'<msqrt>'.repeat(5_000)}<mi>x</mi></math>`), /x/);
});
