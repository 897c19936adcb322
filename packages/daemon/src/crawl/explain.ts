// Says what a crawl would do with addresses, and which rule decides, without a crawl.
import type { UrlExplanation } from '@weft/contract';
import { ReachMemory, explainUrl, toEngineOptions } from '@weft/engine';
import type { AskingPorts, StoredCrawlOptions } from '@weft/engine';

export type ExplainUrls = (options: StoredCrawlOptions, urls: readonly string[], signal: AbortSignal) => Promise<UrlExplanation[]>;

/** Explains addresses in their order. Only hosts whose addresses nothing else keeps out are asked for robots.txt. */
export function createExplainer({ robotsFor, clock, agent }: Pick<AskingPorts, 'robotsFor' | 'clock' | 'agent'>): ExplainUrls {
  return async (stored, urls, signal) => {
    const options = toEngineOptions(stored, agent);
    const robots = robotsFor(stored.private_targets ?? []);
    const names = new ReachMemory();
    const explanations: UrlExplanation[] = [];
    for (const url of urls) {
      const alone = explainUrl(options, undefined, url, clock.now());
      const rules = alone.fetched ? await robots.rulesFor(new URL(url).origin, signal, undefined, 0, names) : undefined;
      const { fetched, reason, rule, robotsLine } = rules ? explainUrl(options, rules, url, clock.now()) : alone;
      explanations.push({
        url,
        fetched,
        ...(reason === undefined ? {} : { reason }),
        ...(rule === undefined ? {} : { rule }),
        ...(robotsLine === undefined ? {} : { robots_line: robotsLine }),
        ...(rules?.askedMs === undefined ? {} : { robots_age: Math.max(0, Math.round((clock.steadyMs() - rules.askedMs) / 1000)) }),
      });
    }
    return explanations;
  };
}
