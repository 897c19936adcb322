import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { decideLane } from '../../lane/choose-lane.ts';
import { isPlainPage } from './plain-page.ts';
import type { AnsweredPage } from './plain-page.ts';

const HTML = 'text/html; charset=utf-8';
const words = 'some words that a reader reads '.repeat(150);

function answer(html: string, contentType = HTML, status = 200, headers: readonly (readonly [string, string])[] = []) {
  return { status, contentType, headers, body: new TextEncoder().encode(html) };
}

suite('a plain page', () => {
  const plain: readonly (readonly [string, string])[] = [
    ['a long text', `<h1>Title</h1><p>${words}`],
    ['a long text behind scripts, styles and comments', `<style>p {}</style><script>if (a < b) {}</script><!-- > --><p>${words}`],
    ['a long text with an empty mount point', `<p>${words}<div id=root></div><script src=a.js></script>`],
    ['Chinese', `<p>${'\u4e2d\u6587'.repeat(2_000)}`],
  ];
  for (const [name, html] of plain) test(`is ${name}`, () => assert.ok(isPlainPage(answer(html))));

  const doubtful: readonly (readonly [string, AnsweredPage])[] = [
    ['a short text', answer('<p>ok')],
    ['a long script', answer(`<p>ok<script>${words}</script>`)],
    ['a long script with an upper-case name', answer(`<p>ok<SCRIPT>${words}</SCRIPT>`)],
    ['a long title', answer(`<title>${words}</title>`)],
    ['a list of countries', answer(`<select><option>${words}</select>`)],
    ['a long text area', answer(`<textarea>${words}</textarea>`)],
    ['a template', answer(`<template>${words}</template>`)],
    ['a comment', answer(`<!-- > ${words} --><p>ok`)],
    ['a script that never ends', answer(`<script>${words}`)],
    ['a tag that never ends', answer(`<p title="${words}`)],
    ['blanks', answer(`<p>${'&nbsp; '.repeat(3_000)}`)],
    ['holes of a template', answer(`<p>${words}{{ a }} {{ b }} {{ c }}`)],
    ['an error', answer(`<p>${words}`, HTML, 503)],
    ['no HTML', answer(words, 'text/plain')],
    ['no type', { ...answer(`<p>${words}`), contentType: undefined }],
    ['UTF-16', answer(`<p>${words}`, 'text/html; charset=UTF-16LE')],
    ['UTF-16 by its first bytes', { ...answer(''), body: Buffer.from(`\ufeff<p>${words}`, 'utf16le') }],
    ['an announced check', answer(`<p>${words}`, HTML, 200, [['cf-mitigated', 'challenge']])],
  ];
  for (const [name, page] of doubtful) test(`is not ${name}`, () => assert.equal(isPlainPage(page), false));

  test('is one that the full look keeps, whatever it is made of', () => {
    const piece = fc.constantFrom(
      words,
      words.slice(0, 900),
      '<p>',
      '<a href=/x>more</a>',
      '<script>',
      '</script>',
      '<div id=root></div>',
      '<li ng-repeat="i in items">',
      '{{ a }}',
      '<noscript>Please enable JavaScript',
      '</noscript>',
      '<select>',
      '</select>',
      '<!--',
      '-->',
      '<h1>Just a moment</h1>',
      '<h1>Access denied</h1>',
      '<input type=password>',
      '<div class=g-recaptcha></div>',
      'Please log in to continue',
      '<svg',
      '>',
      '&nbsp;&nbsp;&nbsp;&nbsp;',
      '\u4e2d\u6587',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const html = pieces.join('');
        const page = {
          status: 200,
          headers: [['content-type', HTML]] as const,
          html,
          url: 'https://a.example/',
          requestedUrl: 'https://a.example/',
        };
        return !isPlainPage(answer(html)) || decideLane(page).kind === 'keep';
      }),
      { numRuns: 2_000 },
    );
  });
});
