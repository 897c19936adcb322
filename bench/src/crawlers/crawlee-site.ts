// A whole site through Crawlee's CheerioCrawler with its defaults: `node crawlee-site.ts <start url> <requests at most> <in flight>`.
import { CheerioCrawler, Configuration, LogLevel, log } from '@crawlee/cheerio';

const [start = '', most = '', inFlight = ''] = process.argv.slice(2);
log.setLevel(LogLevel.OFF);
const crawler = new CheerioCrawler(
  {
    maxConcurrency: Number(inFlight),
    maxRequestsPerCrawl: Number(most),
    respectRobotsTxtFile: true,
    async requestHandler({ enqueueLinks }) {
      await enqueueLinks({ strategy: 'same-origin' });
    },
  },
  new Configuration({ persistStorage: false, purgeOnStart: true }),
);
await crawler.run([start]);
process.exit(0);
