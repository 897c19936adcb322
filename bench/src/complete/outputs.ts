// What each extractor makes of a page, as plain words: ours as Markdown, readability through turndown, trafilatura as Markdown.
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';
import { PageDocument } from '../../../packages/engine/src/page/page-document.ts';
import type { SourcePage } from './page-source.ts';
import { MANUALS_HOME } from './debian.ts';

/** One extractor. */
export interface Reader {
  readonly name: string;
  read(page: SourcePage): Promise<string> | string;
  /** Ends what it started. */
  end?(): void;
}

/** Ours first, then those rivals that are on this machine. */
export function openReaders(): readonly Reader[] {
  const trafilatura = openTrafilatura();
  return [weft, readability(), ...(trafilatura ? [trafilatura] : [])];
}

const weft: Reader = {
  name: 'weft',
  read: ({ html, url }) =>
    wordsOfMarkdown(
      new PageDocument({ url, body: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8' }).markdown('main'),
    ),
};

function readability(): Reader {
  const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
  const plugin: { readonly gfm: TurndownService.Plugin } = createRequire(import.meta.url)('@joplin/turndown-plugin-gfm');
  turndown.use(plugin.gfm);
  return {
    name: 'readability + turndown',
    read: ({ html }) => wordsOfMarkdown(turndown.turndown(new Readability(parseHTML(html).document).parse()?.content ?? '')),
  };
}

/** Where a virtual environment with trafilatura is looked for: `python3 -m venv` there, then `pip install trafilatura lxml_html_clean`. */
export const TRAFILATURA_HOME = join(MANUALS_HOME, 'trafilatura');

const TRAFILATURA_LOOP = `
import json, sys, trafilatura
for line in sys.stdin:
    try:
        text = trafilatura.extract(json.loads(line), output_format='markdown', include_tables=True, include_links=True, include_formatting=True, favor_recall=True)
    except Exception:
        text = None
    print(json.dumps(text or ''), flush=True)
`;

/** A process that is asked a line a page; undefined where it is not installed. */
function openTrafilatura(): Reader | undefined {
  const python = join(TRAFILATURA_HOME, 'bin', 'python');
  if (!existsSync(python)) return undefined;
  const child: ChildProcessWithoutNullStreams = spawn(python, ['-c', TRAFILATURA_LOOP]);
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    name: 'trafilatura (recall)',
    read: async ({ html }) => {
      child.stdin.write(`${JSON.stringify(html)}\n`);
      const { value } = await answers.next();
      return wordsOfMarkdown(JSON.parse(String(value)) as string);
    },
    end: () => child.kill(),
  };
}

const IMAGE = /!\[(?:\\.|[^\]\\])*\]\((?:\\.|[^()\\]|\([^()]*\))*\)/g;
const TARGET = /\]\(<?(?:[a-z]+:|[/#.?]|[\w.-]+\.html?)(?:\\.|[^()\\\s]|\([^()]*\))*>?(?:\s+"(?:\\.|[^"\\])*")?\)/g;
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"', '&nbsp;': ' ' };

const FENCED = /^(\s*(?:[-*+>]\s+)*)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^[\s>]*\2[^\S\n]*$/gm;

/** Markdown without what a reader of it does not see: targets of links, pictures, tags. A block of code is read as it stands. */
export function wordsOfMarkdown(markdown: string): string {
  let words = '';
  let at = 0;
  for (const fence of markdown.matchAll(FENCED)) {
    words += shownWords(markdown.slice(at, fence.index)) + fence[0];
    at = fence.index + fence[0].length;
  }
  return words + shownWords(markdown.slice(at));
}

/** Code in a line shows tags as they stand, and so does an escaped one; what is a link in between is none. */
const SHOWN_TAG = /(`+)[^`][^\n]*?\1(?!`)|\\<[^>[\n]*>/g;

function shownWords(markdown: string): string {
  const kept: string[] = [];
  const unspanned = markdown.replace(SHOWN_TAG, (span) => `\u0001${kept.push(span) - 1}\u0002`);
  return markedWords(unspanned).replace(/\u0001(\d+)\u0002/g, (_, at: string) => kept[Number(at)] ?? '');
}

function markedWords(markdown: string): string {
  return markdown
    .replace(IMAGE, '')
    .replace(TARGET, ']')
    .replace(/<\/?(?:br|sup|sub|kbd|u|ins|mark|small) ?\/?>/g, '')
    .replace(/&(?:lt|gt|amp|quot|nbsp);/g, (entity) => ENTITIES[entity] ?? entity);
}
