// Reads a Word document by way of HTML, so that its Markdown is written by the same code as a page's.
import type { AnyNode } from 'domhandler';
import { isTag } from 'domhandler';
import { PageError } from '../../errors.ts';
import { parseTree } from '../../html/tree.ts';
import { toMarkdown } from '../markdown/markdown.ts';
import { repackArchive } from './archive.ts';
import type { ArchiveEntry } from './archive.ts';
import type { DocumentLink, Reading } from './readable.ts';

/** The reading of `body`, which is an archive with `entries`; pictures are left out. Throws PageError when it is damaged or too large. */
export async function readDocx(body: Uint8Array, entries: readonly ArchiveEntry[], url: string): Promise<Reading> {
  const archive = await repackArchive(body, entries, (name) => /\.(?:xml|rels)$/i.test(name));
  const { default: mammoth } = await import('mammoth');
  const options = { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), externalFileAccess: false };
  // In Node mammoth hands `buffer` to its ZIP reader, which takes any bytes; its types name Node's own kind only.
  const input = { buffer: archive } as Parameters<typeof mammoth.convertToHtml>[0];
  const { value } = await mammoth.convertToHtml(input, options).catch((cause: unknown) => {
    throw new PageError('page_unreadable', 'The Word document is damaged.', { cause });
  });
  const { body: content, baseUrl } = parseTree(value, url);
  const title = headingOf(content.children);
  return {
    ...(title === '' ? {} : { title }),
    markdown: toMarkdown(content.children, { baseUrl }),
    records: [],
    links: linksOf(content.children, baseUrl),
  };
}

function headingOf(nodes: readonly AnyNode[]): string {
  for (const node of nodes) if (isTag(node) && node.name === 'h1') return textOf(node).replace(/\s+/g, ' ').trim();
  return '';
}

function textOf(node: AnyNode): string {
  if (node.type === 'text') return node.data;
  return isTag(node) ? node.children.map(textOf).join('') : '';
}

function linksOf(nodes: readonly AnyNode[], baseUrl: string): DocumentLink[] {
  return nodes.flatMap((node): DocumentLink[] => {
    if (!isTag(node)) return [];
    const url = node.name === 'a' ? URL.parse(node.attribs['href'] ?? '', baseUrl) : null;
    const isFollowed = url !== null && /^https?:$/.test(url.protocol) && !node.attribs['href']?.startsWith('#');
    return isFollowed ? [{ url: url.href, text: textOf(node).trim() }] : linksOf(node.children, baseUrl);
  });
}
