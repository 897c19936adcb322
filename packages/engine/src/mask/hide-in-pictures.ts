// Values that must be in no picture of a page.
import type { BrowserOptions } from '../ports.ts';

/** `browser`, in whose screenshots and PDFs none of `values` is; the same where it makes none. */
export function hidingInPictures<Options extends BrowserOptions | undefined>(browser: Options, values: readonly string[]): Options {
  if (browser === undefined || (browser.screenshot === undefined && browser.pdf !== true)) return browser;
  return { ...browser, hide: [...(browser.hide ?? []), ...values] };
}
