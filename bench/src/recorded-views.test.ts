import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SiteRecorder, fitViews, replayViews } from './recorded-views.ts';

const ORIGIN = 'https://admin.test';
const NOW = Date.UTC(2026, 10, 20);
const html = (texts: readonly string[], links: readonly string[] = []) =>
  new TextEncoder().encode(texts.map((text) => `<p>${text}</p>`).join('') + links.map((link) => `<a href="${link}">x</a>`).join(''));

/** Things, and for each a form that says nothing new; with `own`, every form is a page with one text of its own. */
function recorded(things: number, own = false) {
  const recorder = new SiteRecorder(`${ORIGIN}/`, NOW);
  for (let id = 1; id <= things; id++) {
    const form = `/i?do=search&amp;thing=${id}`;
    recorder.add(`${ORIGIN}/i?thing=${id}`, 200, html([`thing ${id}`, `said of ${id}`], [form]), `thing ${id}`);
    const texts = ['find', `thing ${id}`, ...(own ? [`found ${id}`] : [])];
    recorder.add(`${ORIGIN}/i?do=search&thing=${id}`, 200, html(texts), own ? `form ${id}` : undefined);
  }
  return { name: 'sample', visits: recorder.visits };
}

test('spares views that bring nothing, and misses those that have one text where that counts as none', () => {
  const site = recorded(20);
  assert.deepEqual(replayViews(site, { barrenMax: Infinity, textsMax: 0 }), { asked: 40, missed: 0 });
  // One with the word of the form, four with nothing, the second, fourth and eighth of the rest.
  assert.deepEqual(replayViews(site, { barrenMax: 4, textsMax: 0 }), { asked: 20 + 1 + 4 + 3, missed: 0 });
  const pages = recorded(20, true);
  assert.equal(replayViews(pages, { barrenMax: 4, textsMax: 0 }).missed, 0);
  assert.ok(replayViews(pages, { barrenMax: 4, textsMax: 1 }).missed > 0);
});

test('chooses what misses nothing before what asks less', () => {
  const sites = [recorded(20), recorded(20, true)];
  const all = [
    { barrenMax: 2, textsMax: 1 },
    { barrenMax: 8, textsMax: 0 },
    { barrenMax: 4, textsMax: 0 },
  ];
  assert.deepEqual(fitViews(sites, all), { barrenMax: 4, textsMax: 0 });
});
