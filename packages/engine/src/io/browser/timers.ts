// Knows of a page that still shows that it waits, and of the timer that it waits for: what a timer brings is awaited as a request is.
import type { Page as Tab } from 'playwright-core';

/** A longer delay is no step on the way to a page's content. */
const DELAY_MAX_MS = 3_000;
/** Timers set by timers beyond this go on for ever. */
const CHAIN_MAX = 4;
/** Less than this outside of menus and footers is no page yet; the same bound below which a page without scripts is a shell. */
const CONTENT_CHARACTERS = 250;
/** Asked for by its own key, which nobody else registers. */
const KEY = 'weft.next-timer';

/** Counts in every document of `tab`, from now on, the timers that its scripts set. */
export async function countTimers(tab: Tab): Promise<void> {
  await tab.addInitScript(COUNT_TIMERS);
}

/**
 * Resolves behind the tasks that the page has by now: with the milliseconds until its next timer where it still shows that it waits, with
 * undefined where it shows its content or waits for nothing. requestIdleCallback would take a second: nothing is painted here.
 */
export async function takeTurn(tab: Tab): Promise<number | undefined> {
  const next = `globalThis[Symbol.for('${KEY}')]?.()`;
  const answer: unknown = await tab.evaluate(`new Promise((done) => setTimeout(() => setTimeout(() => done(${next}))))`);
  return typeof answer === 'number' ? Math.min(Math.max(answer, 0), DELAY_MAX_MS) : undefined;
}

/** Runs before the page's scripts. Timers keep their behaviour and their looks; intervals do not count. */
const COUNT_TIMERS = String.raw`(() => {
  const due = new Map();
  let chain = 0;
  const after = (callback, id, length) => function (...given) {
    due.delete(id());
    const before = chain;
    chain = length;
    try { return Reflect.apply(callback, this, given); } finally { chain = before; }
  };
  globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
    apply(target, self, given) {
      const [callback, delay, ...rest] = given;
      if (typeof callback !== 'function' || !(delay > 0 && delay <= ${DELAY_MAX_MS}) || chain >= ${CHAIN_MAX}) return Reflect.apply(target, self, given);
      const id = Reflect.apply(target, self, [after(callback, () => id, chain + 1), delay, ...rest]);
      due.set(id, performance.now() + delay);
      return id;
    },
  });
  globalThis.clearTimeout = new Proxy(globalThis.clearTimeout, {
    apply(target, self, given) {
      due.delete(given[0]);
      return Reflect.apply(target, self, given);
    },
  });
  const shows = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  // WAI-ARIA 1.2 (aria-busy, an indeterminate progressbar), HTML, and the placeholders of Bootstrap, MUI, Ant, Vuetify, PrimeNG.
  const WAITING = '[aria-busy=true], progress:not([value]), [role=progressbar]:not([aria-valuenow]), [class*=skeleton i], [class*=spinner i], [class*=shimmer i], .placeholder-glow, .placeholder-wave';
  const CHROME = 'header, nav, footer, aside, dialog, form, [role=banner], [role=navigation], [role=contentinfo], [role=dialog], script, style, noscript, template';
  const isUnfilled = () => {
    if (!document.body) return false;
    if ([...document.querySelectorAll(WAITING)].some(shows)) return true;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
      node.nodeType === 3 ? NodeFilter.FILTER_ACCEPT : node.matches(CHROME) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP);
    let characters = 0;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.data.trim();
      const parent = node.parentElement;
      // A word or two and an ellipsis say that something is to come, in any language; in a link or button they say that it will open.
      if (text.length <= 40 && /(?:…|\.\.\.)$/.test(text) && parent.childNodes.length === 1 && !parent.closest('a, button, label, summary') && shows(parent)) return true;
      characters += text.length;
    }
    return characters < ${CONTENT_CHARACTERS};
  };
  const next = () => {
    let first = Infinity;
    for (const at of due.values()) first = Math.min(first, at);
    return first < Infinity && isUnfilled() ? Math.max(first - performance.now(), 0) : undefined;
  };
  Object.defineProperty(globalThis, Symbol.for('${KEY}'), { value: next });
})()`;
