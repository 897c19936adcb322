// Keeps pages that wait for their canonical address, so that one that has to stand for itself after all is not asked for again.
import type { Page } from '../../ports.ts';

const PAGES_MAX = 64;
const BYTES_MAX = 8 * 1024 * 1024;

/** The pages that began to wait last; those that are forgotten cost one request more. */
export class HeldPages {
  private readonly pages = new Map<string, Page>();
  private bytes = 0;

  /** Keeps the page that answered for `url`. */
  hold(url: string, page: Page): void {
    this.take(url);
    this.pages.set(url, page);
    this.bytes += page.body.length;
    for (const oldest of this.pages.keys()) {
      if (this.pages.size <= PAGES_MAX && this.bytes <= BYTES_MAX) return;
      this.take(oldest);
    }
  }

  /** The page that answered for `url`, which is then no longer kept; undefined when it is not there. */
  take(url: string): Page | undefined {
    const page = this.pages.get(url);
    if (!page) return undefined;
    this.pages.delete(url);
    this.bytes -= page.body.length;
    return page;
  }
}
