// weft scrape --cloud: pages by a cloud, for credits with a key and within the allowance without one.
import type { PageRecord, RunFailure, ScrapePage } from '@weft/contract';
import { ScrapeError } from '@weft/client/node';
import type { CommandContext } from '../../context.ts';
import { pageFailure } from '../../page-failure.ts';
import type { CommandRun } from '../../spec.ts';
import { PICTURES, savePicture } from '../crawl/picture.ts';
import { SENDING, refuseForCloud } from './options.ts';

type Asked = Omit<ScrapePage, 'url' | 'timeout'> & { readonly limit?: number };

/** A cloud takes pictures where it has a browser, and the account the second credit of a page. */
const WITHOUT_PICTURE = ['weft cloud credits balance'];

/** Seconds beside the page's own for its answer to come. */
const GRACE_SECONDS = 30;

/** Reads pages one by one; what does not come is thrown as the agent's pages are. Throws CommandError for an option that only the agent has. */
export async function cloudScraper(
  context: CommandContext,
  options: Parameters<CommandRun>[2],
  { limit: _limit, ...request }: Asked,
  timeoutSeconds: number,
): Promise<(url: string) => Promise<PageRecord>> {
  refuseForCloud(options, SENDING);
  const cloud = await context.cloud();
  const hasKey = Boolean(context.environment.variables['SERVICE_API_KEY']);
  const call = { signal: context.signal, timeoutSeconds: timeoutSeconds + GRACE_SECONDS };
  return async (url) => {
    try {
      const { credits, ...page } = await cloud.scrape(url, hasKey ? { ...request, timeout: timeoutSeconds } : request, call);
      context.say(`weft: ${url}: ${credits} ${credits === 1 ? 'credit' : 'credits'}`);
      for (const kind of PICTURES) await savePicture(context, cloud, pathOf(page[kind]), kind, options[kind], WITHOUT_PICTURE);
      return page;
    } catch (error) {
      if (!(error instanceof ScrapeError)) throw error;
      // The code is that of a failed run, as the answer has it.
      const failure = { code: error.code as RunFailure['code'], message: error.message };
      throw pageFailure({ failure, url, command: 'scrape' });
    }
  };
}

/** Of a link, without its origin: the cloud may be called by another name than links of it begin with. */
function pathOf(link: string | undefined): string | undefined {
  if (link === undefined) return undefined;
  const { pathname, search } = new URL(link);
  return `${pathname}${search}`;
}
