import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTree } from '../../html/tree.ts';
import { withKindred } from './kindred.ts';
import { outlineOf } from './outline.ts';

/** The texts that stay of a page of which what says `first` was chosen. */
function keptOf(html: string): readonly string[] {
  const outline = outlineOf(parseTree(`<body><div id="page">${html}</div></body>`, 'https://x.test/'));
  const chosen = outline.blocks.map(({ text }) => text.includes('first'));
  return outline.blocks.filter(({ index }) => withKindred(outline, chosen, 0.5)[index]).map(({ text }) => text);
}

const post = (text: string) => `<div class="text"><p>${text}</p></div>`;

test('keeps a reply in a box of the kind of the first post, below a heading of its own', () => {
  const html = `${post('The first post.')}<div id="replies"><h4>Re: a post</h4>${post('A reply.')}</div>`;
  assert.deepEqual(keptOf(html), ['The first post.', 'A reply.']);
});

test('keeps none without a heading, in another box, under the name of comments, or where most was chosen elsewhere', () => {
  const none: readonly string[] = [
    `${post('The first post.')}${post('A teaser.')}`,
    `${post('The first post.')}<h4>More</h4><div class="teaser"><p>A teaser.</p></div>`,
    `${post('The first post.')}<div class="comments"><h4>Re: a post</h4>${post('A comment.')}</div>`,
  ];
  for (const html of none) assert.deepEqual(keptOf(html), ['The first post.'], html);
  const other = `<p>All that is first said here is not in a box with a name.</p>${post('A first word.')}<h4>More</h4>${post('A teaser.')}`;
  assert.ok(!keptOf(other).includes('A teaser.'));
});
