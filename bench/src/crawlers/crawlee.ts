// The same site through Crawlee's CheerioCrawler: `node crawlee.ts <start url> discover|content <in flight>`.
import { CheerioCrawler, Configuration, LogLevel, log } from '@crawlee/cheerio';
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';
import { reportUse } from './report.ts';

const [start = '', mode = 'discover', inFlight = ''] = process.argv.slice(2);
log.setLevel(LogLevel.ERROR);
const report = reportUse();
const turndown = new TurndownService();
let pages = 0;
let characters = 0;

const crawler = new CheerioCrawler(
  {
    maxConcurrency: Number(inFlight),
    minConcurrency: Number(inFlight),
    useSessionPool: false,
    maxRequestRetries: 0,
    async requestHandler({ request, body, enqueueLinks }) {
      if (!new URL(request.loadedUrl).pathname.endsWith('.html')) return;
      pages++;
      if (mode === 'content') {
        const article = new Readability(parseHTML(String(body)).document).parse();
        characters += turndown.turndown(article?.content ?? '').length;
      }
      await enqueueLinks({ strategy: 'same-hostname' });
    },
  },
  new Configuration({ persistStorage: false, purgeOnStart: true }),
);
await crawler.run([start]);
if (mode === 'content' && characters === 0) throw new Error('No page had any text.');
report(pages);
process.exit(0);
