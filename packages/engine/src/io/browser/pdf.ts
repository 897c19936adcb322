// A page on paper, with nothing secret on it. A PDF holds text, which no paint covers: what is secret leaves the page before it is printed.
import type { Page as Tab } from 'playwright-core';
import { PageError } from '../../errors.ts';
import { MASK } from '../../mask/masker.ts';
import type { BrowserOptions, Page } from '../../ports.ts';
import { PICTURE_MS } from './capture.ts';
import type { Budget } from './deadline.ts';
import { within } from './deadline.ts';
import { maskSecretNodes } from './live/page-world.ts';
import { secretsIn } from './session/picture.ts';

/** The page as a PDF, where `options` ask for one; what they hide is not on it, nor on the page any more. */
export async function capturePdf(tab: Tab, options: BrowserOptions, budget: Budget): Promise<Pick<Page, 'pdf'>> {
  if (options.pdf !== true) return {};
  const print = async () => {
    const timeout = Math.min(PICTURE_MS, budget.leftMs());
    return new Uint8Array(await within(tab.pdf({ printBackground: true }), timeout, 'printing a PDF'));
  };
  return { pdf: options.hide ? await printMasked(tab, options.hide, budget, print) : await print() };
}

/**
 * Puts a mask in the place of `secrets` and of what stands in password boxes, stops the page's scripts, and prints. Throws PageError
 * `browser` where something secret stands on the page after that. The page is of no use behind it.
 */
async function printMasked(tab: Tab, secrets: readonly string[], budget: Budget, print: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const session = await tab.context().newCDPSession(tab);
  try {
    await within(session.send('Emulation.setScriptExecutionDisabled', { value: true }), budget.leftMs(), 'stopping the scripts of a page');
    await within(Promise.all(tab.frames().map((frame) => maskSecretNodes(frame, secrets, MASK))), budget.leftMs(), 'masking a page');
    const pdf = await print();
    // Styles of paper may make frames load anew.
    if ((await countOf(tab, secrets)) > 0) throw unprinted();
    return pdf;
  } finally {
    await session.detach().catch(() => undefined);
  }
}

async function countOf(tab: Tab, secrets: readonly string[]): Promise<number> {
  const found = await Promise.all(tab.frames().map((frame) => secretsIn(tab, frame, secrets)));
  return found.flat().length;
}

function unprinted(): PageError {
  return new PageError('browser', 'The page was not printed as a PDF, because something secret could not be taken out of it.');
}
