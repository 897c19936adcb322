import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEvidence } from './read-evidence.ts';
import { differenceOf, findSearchForms } from './search-forms.ts';

const SITE = 'https://books.test';

/** What the searches of `pages` are told apart by; a page is a list of forms, each with these hidden fields. */
function differences(...pages: readonly (readonly string[])[]): readonly string[] {
  const read = pages.map((forms, place) => {
    const html = forms.map((hidden) => `<form action="/search" role="search">${hidden}<input name="q"><button>Go</button></form>`).join('');
    const body = new TextEncoder().encode(`<!doctype html><title>Books</title><h1>Books</h1>${html}`);
    return readEvidence({
      source: { url: `${SITE}/${place}`, body, contentType: 'text/html' },
      status: 200,
      headers: [],
      isRendered: false,
    });
  });
  const { searches } = findSearchForms(read);
  return searches.map((search) => differenceOf(search, searches));
}

const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${value}">`;

test('searches that differ by a hidden field, or by its value alone, are told apart by it', () => {
  assert.deepEqual(differences([hidden('type', 'book'), hidden('type', 'film')]), ['with type=book', 'with type=film']);
  assert.deepEqual(differences([hidden('type', 'book')], [hidden('type', 'film')]), ['with type=book', 'with type=film']);
  assert.deepEqual(differences([''], [hidden('archived', '1')]), ['', 'with archived=1']);
});

test('a field that is another one on each page tells where the form stands, and makes no search of its own', () => {
  const pages = ['/', '/new', '/old', '/rare'].map((path) => [hidden('type', 'book') + hidden('back', path), hidden('back', path)]);
  assert.deepEqual(differences(...pages), ['with type=book', '']);
});

test('no token of a form and nothing as long as a session id names a search', () => {
  const session = 'f3a9c1d27be84056a1c2';
  assert.deepEqual(
    differences([hidden('csrf_token', 'a1b2') + hidden('type', 'book'), hidden('csrf_token', 'c3d4') + hidden('type', 'film')]),
    ['with type=book', 'with type=film'],
  );
  assert.deepEqual(differences([hidden('csrf_token', 'a1b2')], [hidden('csrf_token', 'c3d4')]), ['']);
  assert.deepEqual(differences([hidden('sid', `${session}77`), hidden('sid', `${session}88`)]), ['with sid', 'with sid']);
});

test('what is asked as another form is, is tried behind what is not', () => {
  const html = ['a', 'b'].map((value) => `<form action="/search" role="search">${hidden('type', value)}<input name="q"></form>`).join('');
  const body = new TextEncoder().encode(`${html}<form action="/people" role="search"><input name="who"></form>`);
  const page = readEvidence({ source: { url: SITE, body, contentType: 'text/html' }, status: 200, headers: [], isRendered: false });
  assert.deepEqual(
    findSearchForms([page]).searches.map(({ field }) => field.name),
    ['q', 'who', 'q'],
  );
});
