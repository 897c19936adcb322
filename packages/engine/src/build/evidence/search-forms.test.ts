import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findForms } from '../../extract/forms/forms.ts';
import { parseTree } from '../../html/tree.ts';
import { differenceOf } from './search-forms.ts';

const URL_OF_PAGE = 'https://books.test/';

/** What a search with `own` hidden fields sends that one with `others` does not. */
function difference(own: string, others: string): string {
  const [one, other] = [own, others].map((hidden) => {
    const [form] = findForms(parseTree(`<form action="/search">${hidden}<input name="q"><button>Go</button></form>`, URL_OF_PAGE));
    const field = form?.fields.find(({ name }) => name === 'q');
    assert.ok(form && field);
    return { form, pageUrl: URL_OF_PAGE, field, suggestions: [] };
  });
  assert.ok(one && other);
  return differenceOf(one, other);
}

const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${value}">`;

test('searches that differ by a hidden field are told apart by it', () => {
  assert.equal(difference(hidden('type', 'book'), hidden('type', 'film')), 'with type=book');
  assert.equal(difference('', hidden('archived', '1')), 'without archived');
});

test('no token of a form and nothing as long as a session id names a search', () => {
  const session = 'f3a9c1d27be84056a1c2';
  assert.equal(difference(hidden('csrf_token', 'a1b2') + hidden('type', 'book'), hidden('csrf_token', 'c3d4')), 'with type=book');
  assert.equal(difference(hidden('sid', `${session}77`), hidden('sid', `${session}88`)), 'with sid');
});
