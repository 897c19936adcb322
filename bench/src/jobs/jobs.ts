// Five jobs that people have, as each program is told to do them, and what counts as a row.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CHANGES, PAPERS, PRODUCTS } from './job-site.ts';

export type Tool = 'weft' | 'wget2' | 'trafilatura' | 'scrapy';

/** Where the jobs are done. */
export interface Places {
  /** Of the site with shop, notes and papers. */
  readonly site: string;
  /** The page that a manual begins at, and how many pages it has. */
  readonly manual: { readonly url: string; readonly pages: number };
  /** The first page of a list that scripts fill, and how many rows they fetch. */
  readonly client: { readonly url: string; readonly rows: number };
}

/** How one program does one job: what a person types, in a folder of its own. */
export interface Way {
  /** A program of the user's that the command runs; its letters are typed, too. */
  readonly program?: { readonly name: string; readonly text: string };
  readonly line: string;
  /** Typed the day before, on what the site was then. */
  readonly yesterday?: string;
  /** How much of the job is done in `folder`. */
  rows(folder: string): number;
}

export interface Job {
  readonly name: string;
  readonly truth: number;
  /** A sentence stands in place of a way where the program has none. */
  readonly ways: Readonly<Record<Tool, Way | string>>;
}

/** All five, in the order in which they are told. */
export function jobsOf({ site, manual, client }: Places): readonly Job[] {
  return [listJob(site), manualJob(manual), changesJob(site), papersJob(site), scriptsJob(client)];
}

function listJob(site: string): Job {
  const spider = `import scrapy

class Teas(scrapy.Spider):
    name = "teas"
    start_urls = ["${site}/shop/"]

    def parse(self, page):
        for item in page.css(".product"):
            yield {
                "url": page.urljoin(item.css("a::attr(href)").get()),
                "title": item.css("h3::text").get(),
                "price": item.css(".price::text").get(),
            }
        yield from page.follow_all(css="a[rel=next]")
`;
  return {
    name: 'a list of 200 products to CSV',
    truth: PRODUCTS,
    ways: {
      weft: { line: `weft extract ${site}/shop/ --list --pages 10 -f csv -o rows.csv`, rows: csvRows },
      wget2: 'keeps files and reads no rows out of them',
      trafilatura: 'reads text and no rows',
      scrapy: { program: { name: 'teas.py', text: spider }, line: 'scrapy runspider teas.py -o rows.csv', rows: csvRows },
    },
  };
}

function manualJob({ url, pages }: Places['manual']): Job {
  return {
    name: 'a manual as a folder of Markdown',
    truth: pages,
    ways: {
      weft: { line: `weft crawl ${url} -o manual/`, rows: (folder) => filesIn(join(folder, 'manual'), '.md').length },
      wget2: 'brings HTML; with trafilatura behind it, see there',
      trafilatura: {
        line: `wget2 -q -r -np -P html ${url} ; trafilatura --input-dir html --output-dir manual --markdown`,
        rows: (folder) => filesIn(join(folder, 'manual'), '').filter((file) => readFileSync(file, 'utf8').trim() !== '').length,
      },
      scrapy: 'brings HTML; Markdown is another library and a program around it',
    },
  };
}

function changesJob(site: string): Job {
  const diff = (folder: string) => linesOf(join(folder, 'diff.txt')).filter((line) => /(?:Files|Only).*\d+\.html/.test(line)).length;
  return {
    name: 'what changed since yesterday',
    truth: CHANGES,
    ways: {
      weft: {
        yesterday: `weft crawl save ${site}/notes/ --slug notes ; weft crawl run notes`,
        line: 'weft crawl run notes > changes.txt',
        rows: (folder) => {
          const [, fresh, changed, gone] =
            /(\d+) new, (\d+) changed, (\d+) gone/.exec(linesOf(join(folder, 'changes.txt')).join('\n')) ?? [];
          // The page that lists the notes has changed as well, and is no note.
          return Number(fresh ?? 0) + Math.max(0, Number(changed ?? 0) - 1) + Number(gone ?? 0);
        },
      },
      wget2: {
        yesterday: `wget2 -q -r -np -N -P now ${site}/notes/ ; cp -a now before`,
        line: `wget2 -q -r -np -N -P now ${site}/notes/ ; diff -rq before now > diff.txt`,
        rows: diff,
      },
      trafilatura: 'keeps nothing from one day to the next',
      scrapy: 'keeps nothing from one day to the next',
    },
  };
}

function papersJob(site: string): Job {
  const texts = (folder: string) =>
    filesIn(folder, '.txt').filter((file) => /Paper \d+ tells how tea is grown/.test(readFileSync(file, 'utf8'))).length;
  return {
    name: 'every PDF of a site as text',
    truth: PAPERS,
    ways: {
      weft: { line: `weft crawl ${site}/papers/ -f text -o papers/`, rows: texts },
      wget2: { line: `wget2 -q -r -np -A pdf -P m ${site}/papers/ ; find m -name '*.pdf' -exec pdftotext {} \\;`, rows: texts },
      trafilatura: 'reads no PDF',
      scrapy: 'reads no PDF; that is another library and a program around it',
    },
  };
}

function scriptsJob({ url, rows }: Places['client']): Job {
  return {
    name: 'a page that scripts fill, as rows',
    truth: rows,
    ways: {
      weft: { line: `weft extract ${url} --list -f csv -o rows.csv`, rows: csvRows },
      wget2: 'runs no scripts',
      trafilatura: 'runs no scripts',
      scrapy: 'runs no scripts; a browser is another package and a program around it',
    },
  };
}

/** Rows of `rows.csv` below its head; none of its values holds a line break here. */
function csvRows(folder: string): number {
  return Math.max(0, linesOf(join(folder, 'rows.csv')).length - 1);
}

function linesOf(file: string): readonly string[] {
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split(/\r?\n/)
        .filter((line) => line !== '')
    : [];
}

function filesIn(folder: string, ending: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name));
}
