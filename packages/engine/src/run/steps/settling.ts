// Waits in a browser for what scripts still do to a page.
import { PageError } from '../../errors.ts';
import type { StepWork } from '../step-work.ts';

/** Without a change for so many milliseconds a page is taken as it is: as long as Playwright's `networkidle` waits. */
const STILL_MS = 500;
/** How long a page may take to begin with what was asked of it: what Crawlee's `infiniteScroll` waits for. */
export const BEGINS_MS = 4_000;
/** A page that goes on changing is looked at so often. */
export const LOOKS_MAX = 5;
/** A page that never rests is looked at all the same. */
const RESTLESS_MS = 10_000;

/** True where the page changed within `begins`, once it has been still; false where it did not. */
const SETTLING = `(begins, still, restless) => new Promise((done) => {
  let timer = setTimeout(end, begins, false);
  const last = setTimeout(end, restless, true);
  const watch = new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(end, still, true);
  });
  watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  function end(changed) { watch.disconnect(); clearTimeout(timer); clearTimeout(last); done(changed) }
})`;

/** Waits until the page has changed and is still; false where it does not begin to change in time, and in the HTTP lane. */
export async function settles(work: StepWork, beginsMs: number = STILL_MS): Promise<boolean> {
  const { session } = await work.room.driver();
  if (!session) return false;
  try {
    return (await session.evaluate(SETTLING, [beginsMs, STILL_MS, RESTLESS_MS], work.bounds)) === true;
  } catch (error) {
    // The page was left for another one, which is a change too.
    if (error instanceof PageError && error.code === 'browser') return true;
    throw error;
  }
}
