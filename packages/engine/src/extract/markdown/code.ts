// Reads code out of the tree as it stands and puts it between backticks.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { BLOCKS, isHidden } from './elements.ts';

const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source|highlight)-([\w+#.-]{1,30})(?=\s|$)|(?:^|\s)brush:\s*([\w+#-]{1,30})/i;
/** Class values of highlighters that name no language. */
const NOT_LANGUAGES = new Set(['text', 'plain', 'plaintext', 'none', 'default', 'notranslate', 'wrapper', 'container', 'block']);
const NOT_CODE = new Set(['script', 'style', 'template', 'button', 'textarea', 'select']);

/** The text of `element` with its white space; `br` and the borders of blocks are line breaks. */
export function textOfCode(element: Element, excluded: ReadonlySet<AnyNode> | undefined): string {
  let text = '';
  const visit = (node: AnyNode): void => {
    if (node.type === 'text') text += node.data;
    if (!isTag(node) || NOT_CODE.has(node.name) || excluded?.has(node) || isHidden(node)) return;
    if (node.name === 'br') text += '\n';
    const isBlock = BLOCKS.has(node.name);
    if (isBlock && text !== '' && !text.endsWith('\n')) text += '\n';
    const before = text.length;
    node.children.forEach(visit);
    if (isBlock && text.length > before && !text.endsWith('\n')) text += '\n';
  };
  element.children.forEach(visit);
  return text;
}

/** The language that `pre`, its first element or one of the two elements round it names in a class; '' for none. */
export function languageOf(pre: Element): string {
  const inner = pre.children.find(isTag);
  const outer = pre.parent && isTag(pre.parent) ? pre.parent : undefined;
  const outermost = outer?.parent && isTag(outer.parent) ? outer.parent : undefined;
  for (const element of [inner, pre, outer, outermost]) {
    const match = LANGUAGE.exec(element?.attribs['class'] ?? '');
    const language = (match?.[1] ?? match?.[2] ?? '').toLowerCase();
    if (language !== '' && !NOT_LANGUAGES.has(language)) return language;
  }
  return '';
}

/** The lines of a fenced block; empty when `text` is blank. Blank lines at both ends are left out. */
export function fencedCode(text: string, language: string): readonly string[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  let end = lines.length;
  while (end > 0 && lines[end - 1]?.trim() === '') end--;
  let start = 0;
  while (start < end && lines[start]?.trim() === '') start++;
  if (start === end) return [];
  const fence = '`'.repeat(Math.max(3, longestBackticks(text) + 1));
  return [fence + language, ...lines.slice(start, end), fence];
}

/** Inline code, with a fence that its own backticks can't close (CommonMark section 6.1). */
export function inlineCode(text: string): string {
  const fence = '`'.repeat(longestBackticks(text) + 1);
  const needsPadding = text.startsWith('`') || text.endsWith('`') || (text.startsWith(' ') && text.endsWith(' ') && text.trim() !== '');
  return needsPadding ? `${fence} ${text} ${fence}` : fence + text + fence;
}

function longestBackticks(text: string): number {
  if (!text.includes('`')) return 0;
  let longest = 0;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return longest;
}
