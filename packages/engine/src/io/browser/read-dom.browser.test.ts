// What is read of a page: what it shows, and what only the browser knows of it.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../../../../tests/browser.ts';
import { startBudget } from './deadline.ts';
import { readDom } from './read-dom.ts';

/** Each element says in its text whether it is shown. */
const HIDING_PAGE = `<!doctype html><style>
.none { display: none } .veiled { visibility: hidden } .veiled .back { visibility: visible } .skipped { content-visibility: hidden }
.faint { opacity: 0 } .through { display: contents } .shown { display: block !important } x-late { display: none }
</style><body class=none><h1>shown</h1><script>document.body.className = ''</script>
<p class=none>not <b>nor this</b></p><p class=veiled>not</p><div class=veiled><i>not</i><p class=back>shown</p></div>
<div class=skipped><p>not</p></div><p class=faint>shown</p><div class=through><p>shown</p></div><p hidden>not</p><p hidden class=shown>shown</p>
<p class=none style="display: block !important">shown</p><p class="none" style="display: flex">shown</p><p style="display: none">not</p>
<div popover id=pop>shown</div><div popover>not</div><x-late>not</x-late><input type=hidden name=token>
<x-host></x-host><details><summary>shown</summary><p>closed</p></details><select><option>choice</option></select>
<script>pop.showPopover(); const root = document.querySelector('x-host').attachShadow({ mode: 'open' });
root.innerHTML = '<style>.inner { display: none }</style><p class=inner>not</p><p>shown</p>'</script>`;

/** A page that counts what happens to it. */
const WATCHFUL_PAGE = `<!doctype html><body><x-seen><p>seen</p></x-seen><iframe srcdoc="<p>framed"></iframe><noscript>scripts, please</noscript><script>
let made = 0, changed = 0; addEventListener('load', () => setTimeout(() => { changed = 0 }));
customElements.define('x-seen', class extends HTMLElement { constructor() { super(); made += 1; this.attachShadow({ mode: 'open' }).innerHTML = '<b>in</b><slot></slot>' } });
new MutationObserver((all) => { changed += all.length }).observe(document, { childList: true, attributes: true, subtree: true, characterData: true });
</script>`;

suite('reading the DOM', { timeout: 600_000 }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  /** What is read of `html`, and what `question` says of the live page before and afterwards. */
  async function read(html: string, question = '0'): Promise<{ readonly text: string; readonly answers: readonly unknown[] }> {
    const tab = await browser.newPage();
    try {
      await tab.setContent(html, { waitUntil: 'load' });
      const asked = await tab.evaluate(question);
      const session = await tab.context().newCDPSession(tab);
      const { html: text } = await readDom(session, 1_000_000, startBudget(10_000));
      return { text, answers: [asked, await tab.evaluate(question)] };
    } finally {
      await tab.close();
    }
  }

  test('what the browser does not show is marked as hidden, and nothing else', async () => {
    const { text } = await read(HIDING_PAGE);
    const texts = [...text.replace(/<script.*?<\/script>/gs, '').matchAll(/<(\w+(?:-\w+)?)([^<>]*)>(not|shown|closed|choice)\b/g)];
    assert.equal(texts.length, 21);
    for (const [tag, , attributes = '', says] of texts) assert.equal(/\shidden=""/.test(attributes), says === 'not', tag);
    assert.match(text, /<input type="hidden" name="token">/);
    assert.match(text, /<b>nor this/);
  });

  for (const style of ['visibility: hidden', 'display: none', 'opacity: 0'])
    test(`a body with ${style} hides nothing`, async () => {
      assert.match((await read(`<body style="${style}"><p>text`)).text, /<body style="[^"]+"><p>text/);
    });

  test('what an open dialog covers is not hidden', async () => {
    const { text } = await read(
      '<!doctype html><div id=app><p>behind</p></div><dialog id=own><p>in front</p></dialog><script>own.showModal(); app.inert = true; app.setAttribute("aria-hidden", "true")</script>',
    );
    assert.match(text, /<p>behind<\/p><\/div><dialog id="own" open=""><p>in front<\/p>/);
  });

  test('noscript is no part of a page whose scripts may run', async () => {
    const { text } = await read('<!doctype html><noscript>head</noscript><body><noscript>enable <b>JavaScript</b></noscript><p>shown');
    assert.equal(text, '<!DOCTYPE html><html><head></head><body><p>shown</p></body></html>');
  });

  test('reading changes nothing that the page could see', async () => {
    const { text, answers } = await read(WATCHFUL_PAGE, 'new Promise((done) => setTimeout(() => done([made, changed])))');
    assert.match(
      text,
      /<x-seen><div data-shadow="open"><b>in<\/b><slot><\/slot><\/div><p>seen<\/p><\/x-seen><iframe[^>]*><\/iframe><div data-frame="about:srcdoc"><p>framed/,
    );
    assert.deepEqual(answers[1], answers[0]);
    assert.deepEqual(answers[0], [1, 0]);
  });
});
