import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NAME_GROUP_NAMES, PHRASE_GROUP_NAMES, nameHints, phraseHints } from './hints.ts';

const groups = (hints: number, names: readonly string[]) => names.filter((_, bit) => (hints >> bit) & 1);

const NAMES: readonly (readonly [promise: string, attribute: string, group: string, is: boolean])[] = [
  ['parts words at punctuation', 'site-footer__links', 'footer', true],
  ['parts words at capitals', 'mainNavigation', 'navigation', true],
  ['does not find a word inside another', 'download', 'advert', false],
  ['gives one word to several groups', 'comments', 'comment', true],
];
for (const [promise, attribute, group, is] of NAMES) {
  test(promise, () => assert.equal(groups(nameHints(attribute), NAME_GROUP_NAMES).includes(group), is));
}

const PHRASES: readonly (readonly [promise: string, text: string, group: string, is: boolean])[] = [
  ['hears a call to sign up', 'Subscribe to our newsletter', 'signup', true],
  ['hears a copyright line', '© 2024 Example', 'copyright', true],
  ['hears a heading of related pages', 'You may also like', 'related', true],
  ['hears consent texts however long', `We use cookies. ${'They help us. '.repeat(40)}`, 'cookie', true],
  ['lets long texts speak of sharing', `We share what we have. ${'It is enough. '.repeat(40)}`, 'share', false],
  ['hears nothing in plain words', 'The river rose in May', 'signup', false],
];
for (const [promise, text, group, is] of PHRASES) {
  test(promise, () => assert.equal(groups(phraseHints(text), PHRASE_GROUP_NAMES).includes(group), is));
}

test('groups fit into the bits of a number', () => {
  assert.ok(NAME_GROUP_NAMES.length < 32 && PHRASE_GROUP_NAMES.length < 32);
});
