import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePage } from './parse.ts';
import { selectParts } from './select.ts';
import { readViews } from './views.ts';

const ROWS = ['Spade', 'Fork', 'Rake', 'Hoe', 'Trowel', 'Shears'].map(
  (name, i) =>
    `<li class="tool"${i === 2 ? ' style="display:none"' : ''}><a href="/${i}">${name} for the garden</a> <b>${i + 5}.00 €</b></li>`,
);
const SIGNS: readonly (readonly [name: string, open: string, close: string])[] = [
  ['hidden', '<div hidden>', '</div>'],
  ['until-found', '<div hidden="until-found">', '</div>'],
  ['display', '<div style="display: none">', '</div>'],
  ['visibility', '<div style="visibility:hidden">', '</div>'],
  ['details', '<details><summary>More</summary><div>', '</div></details>'],
  ['dialog', '<dialog>', '</dialog>'],
  ['aria-hidden', '<div aria-hidden="true">', '</div>'],
  ['popover', '<div popover>', '</div>'],
];
const SECRET =
  '<p>Secret words that nobody sees.</p><form action="/secret"><input name="secret_q" type="search"><button>Secret search</button></form>';
const sourceOf = (secret: string) => ({
  url: 'https://x.test/tools',
  contentType: 'text/html; charset=utf-8',
  body: new TextEncoder().encode(
    `<!doctype html><title>Tools</title><body><main><h1>Tools</h1>
    <p>These are the tools that every gardener needs in the first year. Keep them dry and clean, and oil the blades before winter.</p>
    <ul class="tools">${ROWS.join('')}</ul>${secret}
    <p>Whoever wants more of them can ask at the counter, where the older tools are shown as well, with their prices and their uses.</p>
    </main>`,
  ),
});
const FORMATS = ['text', 'markdown', 'html', 'records', 'product', 'forms'] as const;

for (const [name, open, close] of SIGNS) {
  const source = sourceOf(open + SECRET + close);
  test(`no view reads what ${name} hides, unless asked to`, async () => {
    for (const onlyMainContent of [true, false]) {
      const { hidden_words: left, ...views } = await readViews({ source, formats: FORMATS, onlyMainContent });
      assert.doesNotMatch(JSON.stringify(views), /secret|Rake/i);
      assert.ok(left !== undefined && left >= 'Rake for the garden 7.00 €'.split(' ').length);
      const all = await readViews({ source, formats: FORMATS, onlyMainContent, includeHidden: true });
      assert.equal(all.hidden_words, undefined);
      assert.match(JSON.stringify(all.records), /Rake/);
      assert.match(JSON.stringify(all.forms), /secret_q/);
      // A dialog is shown then, but not what the page is about.
      if (name === 'dialog' && onlyMainContent) continue;
      assert.match(all.text ?? '', /Secret words/);
      assert.match(all.markdown ?? '', /Secret words/);
      assert.match(all.html ?? '', /Secret words/);
    }
  });
}

test('says how many words were left out, decoration not counted', async () => {
  const source = sourceOf('<div hidden><p>one two</p></div><p>three<span aria-hidden="true">four</span></p>');
  const { hidden_words: left } = await readViews({ source, formats: ['markdown'], onlyMainContent: true });
  // A row of the list is hidden too.
  assert.equal(left, 'Rake for the garden 7.00 €'.split(' ').length + 2);
});

test('parts and saved pages are read with what is hidden when asked to', async () => {
  const source = sourceOf(`<div hidden>${SECRET}</div>`);
  for (const includeHidden of [false, true]) {
    const { forms = [] } = await selectParts({ source, parts: ['forms'], includeHidden });
    assert.equal(forms.length, includeHidden ? 1 : 0);
    const { text = '' } = await parsePage({ source, want: ['text'], includeHidden });
    assert.equal(text.includes('Secret'), includeHidden);
  }
});
