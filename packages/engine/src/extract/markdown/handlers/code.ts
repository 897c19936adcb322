// Reads code out of the tree as it stands and puts it between backticks.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { APART_ELEMENTS } from '../../../html/elements.ts';

/** Prism, highlight.js, GitHub, Sphinx; MediaWiki's highlighter; SyntaxHighlighter; old MediaWiki and cppreference; javadoc's and pandoc's own come below. */
const LANGUAGE =
  /(?:^|\s)(?:language|lang|highlight-source|highlight|mw-highlight-lang|code-highlight|source)-([\w+#.-]{1,30})(?=\s|$)|(?:^|\s)brush:\s*([\w+#-]{1,30})/i;
/** The token beside one of these is the language: `hljs python`, `sourceCode haskell` (pandoc), `code bash` (DokuWiki), `highlight ruby` (Rouge). */
const BESIDE_LANGUAGE = /(?:^|\s)(?:hljs|sourceCode|code|highlight|chroma|prettyprint|programlisting)(?=\s|$)/;
/** Class values of highlighters that name no language. */
const NOT_LANGUAGES = new Set(
  'text plain plaintext none default notranslate nohighlight wrapper container block body box line lines number numbers file code'.split(
    ' ',
  ),
);
/** Names that may stand alone beside a highlighter's own; any other token beside it may mean anything. */
const LANGUAGES = new Set(
  (
    'ada apache asm awk bash basic batch bat c clojure cmake cobol cpp c++ csharp cs css csv d dart delphi diff docker dockerfile dos elixir elm ' +
    'erlang fortran fsharp go golang gradle graphql groovy haskell haxe hcl html html4strict html5 http ini java java5 javascript js json jsonc ' +
    'jsx julia kotlin latex less lisp lua makefile markdown matlab md nginx nim nix nohighlight objc objectivec ocaml pascal perl php plsql ' +
    'postgresql powershell prolog properties proto protobuf ps1 puppet py python python3 r ruby rb rs rust sas sass scala scheme scss sh shell ' +
    'solidity sql svelte swift tcl terraform tex toml ts tsx typescript vb vbnet verilog vhdl vim vue wasm xml yaml yml zig zsh console'
  ).split(' '),
);
const CODE_ELEMENTS = new Set(['pre', 'code']);
const NOT_CODE = new Set(['script', 'style', 'template', 'button', 'textarea', 'select']);

/** The text of `element` with its white space; `br` and the borders of blocks are line breaks. */
export function textOfCode(element: Element, isLeftOut: (node: AnyNode) => boolean): string {
  let text = '';
  const visit = (node: AnyNode): void => {
    if (isLeftOut(node)) return;
    if (node.type === 'text') text += node.data;
    if (!isTag(node) || NOT_CODE.has(node.name)) return;
    if (node.name === 'br') text += '\n';
    const isBlock = APART_ELEMENTS.has(node.name);
    if (isBlock && text !== '' && !text.endsWith('\n')) text += '\n';
    const before = text.length;
    node.children.forEach(visit);
    if (isBlock && text.length > before && !text.endsWith('\n')) text += '\n';
  };
  element.children.forEach(visit);
  return text;
}

/** How far up from a code block its highlighter's frame goes: a table of line numbers has four elements of its own. */
const FRAME_DEPTH = 2;
const TABLE_PARTS = new Set(['td', 'tr', 'tbody', 'table']);

/** The language that `pre`, its first element or one of the elements round it names; '' for none. */
export function languageOf(pre: Element): string {
  const inner = pre.children.find(isTag);
  const own = (inner && namedLanguage(inner)) || namedLanguage(pre);
  if (own !== '') return own;
  let depth = 0;
  for (let at = pre.parent; at && isTag(at) && depth < FRAME_DEPTH; at = at.parent) {
    const language = namedLanguage(at);
    if (language !== '') return language;
    if (!TABLE_PARTS.has(at.name)) depth++;
  }
  return '';
}

function namedLanguage({ name, attribs }: Element): string {
  const names = attribs['class'] ?? '';
  const match = LANGUAGE.exec(names);
  const language = (match?.[1] ?? match?.[2] ?? attribs['data-lang'] ?? attribs['data-language'] ?? '').toLowerCase();
  if (/^[\w+#.-]{1,30}$/.test(language) && !NOT_LANGUAGES.has(language)) return language;
  if (CODE_ELEMENTS.has(name) && isOneName(names)) return names.trim().split(/\s/)[0] as string;
  if (!BESIDE_LANGUAGE.test(names)) return '';
  return names.split(/\s+/).find((token) => LANGUAGES.has(token) && !NOT_LANGUAGES.has(token)) ?? '';
}

/** What is marked up as code and has the name of a language for its class, and nothing beside it but what begins so: `ruby`, `rust rust-example`. */
function isOneName(names: string): boolean {
  const [first = '', ...others] = names.trim().split(/\s+/);
  return LANGUAGES.has(first) && !NOT_LANGUAGES.has(first) && others.every((other) => other.startsWith(`${first}-`));
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
