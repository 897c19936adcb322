// Writes pages into a folder, a file each, with links between the pages that lead to the files.
import { lstat, mkdir, readdir, realpath, stat, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { PageRecord } from '@weft/contract';
import { CommandError, EXIT } from '../exit.ts';
import { pathsOf } from './paths.ts';
import { relinkHtml, relinkMarkdown } from './relink.ts';

/** What a file of a folder can hold of a page, and how its name ends. */
const ENDINGS = { markdown: 'md', text: 'txt', html: 'html' } as const;
export type FolderFormat = keyof typeof ENDINGS;
export const FOLDER_FORMATS: readonly FolderFormat[] = ['markdown', 'text', 'html'];

/** Where pages go. */
export interface PagesFolder {
  readonly folder: string;
  readonly formats: readonly FolderFormat[];
  /** What stands there already may be written over. */
  readonly isForced: boolean;
}

/** A page before it is read: its address, and others that lead to it. */
export interface PageAddress {
  readonly url: string;
  readonly aliases: readonly string[];
}

/** What became of the pages. */
export interface WrittenPages {
  readonly files: number;
  /** One sentence for each that was not written. */
  readonly left: readonly string[];
}

/** Throws CommandError where the folder is a file, or holds something that it may not be written over. */
export async function checkFolder({ folder, isForced }: PagesFolder): Promise<void> {
  const refuse = (message: string) => new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request' });
  const found = await stat(folder).catch(() => undefined);
  if (!found) return;
  if (!found.isDirectory()) throw refuse(`${folder} is a file; name a folder.`);
  if (!isForced && (await readdir(folder)).length > 0)
    throw refuse(`${folder} holds something already; name another folder, or write over it with --force.`);
}

/** Writes `pages`, of which `addresses` are known before, so that each can link to each. */
export async function writePages(
  { folder, formats, isForced }: PagesFolder,
  addresses: readonly PageAddress[],
  pages: AsyncIterable<PageRecord>,
): Promise<WrittenPages> {
  await mkdir(folder, { recursive: true });
  const root = await realpath(folder);
  const places = formats.map((format) => placesOf(format, addresses));
  const left: string[] = [];
  let files = 0;
  for await (const page of pages)
    for (const { format, paths, byAlias } of places) {
      const path = paths.get(page.url);
      const content = page[format];
      if (path === undefined || content === undefined) left.push(`${page.url} has no ${format}`);
      else {
        const fault = await writeInside(root, path, textOf(page, format, content, linkFrom(path, byAlias)), isForced);
        if (fault === undefined) files++;
        else left.push(`${page.url}: ${fault}`);
      }
    }
  return { files, left };
}

interface Places {
  readonly format: FolderFormat;
  readonly paths: ReadonlyMap<string, string>;
  /** File by any address of its page. */
  readonly byAlias: ReadonlyMap<string, string>;
}

function placesOf(format: FolderFormat, addresses: readonly PageAddress[]): Places {
  const paths = pathsOf(
    addresses.map(({ url }) => url),
    ENDINGS[format],
  );
  const byAlias = new Map<string, string>();
  for (const { url, aliases } of addresses)
    for (const alias of [url, ...aliases]) {
      const path = paths.get(url);
      if (path !== undefined && !byAlias.has(alias)) byAlias.set(alias, path);
    }
  // A page's own address leads to it, whatever others say.
  for (const [url, path] of paths) byAlias.set(url, path);
  return { format, paths, byAlias };
}

function linkFrom(path: string, byAlias: ReadonlyMap<string, string>) {
  return (address: string): string | undefined => {
    const [page = '', ...fragment] = address.split('#');
    const target = byAlias.get(page);
    if (target === undefined) return undefined;
    const anchor = fragment.length > 0 ? `#${fragment.join('#')}` : '';
    if (target === path && anchor !== '') return anchor;
    const names = posix.relative(posix.dirname(path), target).split('/');
    return names.map((name) => encodeURIComponent(name).replaceAll(/[()']/g, escapeCharacter)).join('/') + anchor;
  };
}

/** What encodeURIComponent leaves and Markdown or a shell reads in its own way. */
function escapeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function textOf(page: PageRecord, format: FolderFormat, content: string, link: (address: string) => string | undefined): string {
  if (format === 'text') return ended(content);
  if (format === 'markdown') return ended(relinkMarkdown(content, link));
  const language = page.metadata?.language;
  const lang = language === undefined ? '' : ` lang="${escapeHtml(language)}"`;
  const head = `<head>\n<meta charset="utf-8">\n<title>${escapeHtml(page.title ?? page.url)}</title>\n</head>`;
  return `<!doctype html>\n<html${lang}>\n${head}\n<body>\n${relinkHtml(content, link)}\n</body>\n</html>\n`;
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Faults of one file, which end no other. */
const OF_ONE_FILE = new Set(['ENAMETOOLONG', 'EISDIR', 'ENOTDIR', 'EEXIST', 'EACCES', 'EPERM', 'EINVAL', 'EILSEQ']);

/** Writes a file below `root`; why not, where that can't be. A link there leads out of the folder, so nothing is written through one. */
async function writeInside(root: string, path: string, text: string, isForced: boolean): Promise<string | undefined> {
  const names = path.split('/');
  const file = join(root, ...names);
  try {
    for (let depth = 1; depth < names.length; depth++) {
      const folder = join(root, ...names.slice(0, depth));
      await mkdir(folder, { recursive: true });
      if (await isLink(folder)) return `${path} leads through a link to somewhere else`;
    }
    if (await isLink(file)) return `${path} is a link to somewhere else`;
    await writeFile(file, text, { flag: isForced ? 'w' : 'wx' });
    return undefined;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!OF_ONE_FILE.has(code)) throw error;
    return `${path} can't be written: ${message}`;
  }
}

async function isLink(path: string): Promise<boolean> {
  return await lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}
