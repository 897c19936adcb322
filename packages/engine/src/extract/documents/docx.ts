// Reads a Word document by way of HTML, so that its Markdown is written by the same code as a page's.
import type { AnyNode } from 'domhandler';
import { isTag } from 'domhandler';
import { PageError } from '../../errors.ts';
import { textOf } from '../../html/selectors/text.ts';
import type { PageTree } from '../../html/tree.ts';
import { parseTree } from '../../html/tree.ts';
import { readLinks } from '../links/links.ts';
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
  const tree = parseTree(value, url);
  const { children } = tree.body;
  const title = headingOf(children);
  return {
    ...(title === '' ? {} : { title }),
    markdown: toMarkdown(children, { baseUrl: tree.baseUrl }),
    records: [],
    links: linksOf(tree),
  };
}

function headingOf(nodes: readonly AnyNode[]): string {
  const heading = nodes.find((node) => isTag(node) && node.name === 'h1');
  return heading ? textOf(heading) : '';
}

/** A link into the document itself leads nowhere once it is read. */
function linksOf(tree: PageTree): DocumentLink[] {
  const own = `${tree.url.split('#', 1)[0]}#`;
  return readLinks(tree).flatMap(({ url, text }) => (url.startsWith(own) ? [] : [{ url, text }]));
}
