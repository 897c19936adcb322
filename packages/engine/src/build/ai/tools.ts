// What a model can do on a page: a table of tools. Each takes short names of what the page shows, none takes an address; what is refused is refused here.
import { FORM_WORDS } from '../../extract/forms/vocabulary.ts';
import { actOfWord, plainWord } from '../../url/act-words.ts';
import { findAct } from '../../url/acts.ts';
import { isOnSite, isSearch } from '../fence.ts';
import type { SeenElement, Sight } from './sight.ts';
import type { SeenList } from './seen-lists.ts';
import type { WordsSeen } from './words-seen.ts';

/** The tools, in the words that a model is told. */
export const TOOLS = {
  look: 'look at the page again, after it had time to change',
  click: 'click the element `ref`: a link, a button, a tab',
  type: 'write `text` into the element `ref`, only words of the objective or of the site; with `enter` it is sent as a search',
  select: 'choose the option `text`, as it is shown, in the element `ref`',
  scroll: 'scroll to the end of the page, so that more of it is loaded',
  back: 'go back to the page before',
  read_list: 'read the list `ref` (l1, l2, ...) as rows: they are what was looked for, or part of it',
  done: 'end: what was looked for is read or can not be found here',
} as const;
export type ToolName = keyof typeof TOOLS;
export const TOOL_NAMES = Object.keys(TOOLS) as readonly ToolName[];

/** What a model answered; it fits the schema, and nothing else is known of it. */
export interface ToolCall {
  readonly tool: ToolName;
  readonly ref: string;
  readonly text: string;
  readonly enter: boolean;
}

/** What is done then: an act on what is there, or nothing and why. */
export type Decision =
  | { readonly kind: 'look' | 'scroll' | 'back' | 'done' }
  | { readonly kind: 'click'; readonly element: SeenElement }
  | { readonly kind: 'type' | 'select'; readonly element: SeenElement; readonly text: string; readonly enter: boolean }
  | { readonly kind: 'read_list'; readonly list: SeenList }
  | { readonly kind: 'refused'; readonly reason: string };

/** What decides beside the call itself. */
export interface Standing {
  readonly sight: Sight;
  readonly siteUrl: string;
  readonly words: WordsSeen;
  readonly tools: readonly ToolName[];
  /** Whether there is a page to go back to. */
  readonly canGoBack: boolean;
}

/** The JSON Schema of a call on this page: only what it shows can be named. */
export function callSchema({ sight, tools }: Pick<Standing, 'sight' | 'tools'>): Readonly<Record<string, unknown>> {
  const refs = [...sight.elements, ...sight.lists].map(({ ref }) => ref);
  return {
    type: 'object',
    additionalProperties: false,
    required: ['tool', 'ref', 'text', 'enter'],
    properties: {
      tool: { type: 'string', enum: tools },
      ref: { type: 'string', enum: ['', ...refs] },
      text: { type: 'string', maxLength: 80 },
      enter: { type: 'boolean' },
    },
  };
}

/** What `call` leads to. Pure. */
export function decideCall(call: ToolCall, standing: Standing): Decision {
  if (!standing.tools.includes(call.tool)) return refused(`${call.tool} is not offered`);
  if (call.tool === 'look' || call.tool === 'scroll' || call.tool === 'done') return { kind: call.tool };
  if (call.tool === 'back') return standing.canGoBack ? { kind: 'back' } : refused('there is no page before this one');
  if (call.tool === 'read_list') {
    const list = standing.sight.lists.find(({ ref }) => ref === call.ref);
    return list ? { kind: 'read_list', list } : refused(`${shown(call.ref)} is no list of this page`);
  }
  const element = standing.sight.elements.find(({ ref }) => ref === call.ref);
  if (!element) return refused(`${shown(call.ref)} is not on this page`);
  const reason = refusalOf(element, call, standing);
  if (reason !== undefined) return refused(reason);
  return call.tool === 'click' ? { kind: 'click', element } : { kind: call.tool, element, text: call.text, enter: call.enter };
}

function refused(reason: string): Decision {
  return { kind: 'refused', reason };
}

function refusalOf(element: SeenElement, call: ToolCall, standing: Standing): string | undefined {
  const { act, form } = element;
  if (act !== undefined) return `it changes something (${act})`;
  if (call.tool === 'click') return refusalOfClick(element, standing.siteUrl);
  if (form && !isSearch(form)) return `it is part of a form that is no search (${form.type}, ${form.method})`;
  if (call.tool === 'type') return element.takes === 'text' ? standing.words.problemOf(call.text) : 'nothing can be written there';
  if (element.takes !== 'choice') return 'there is nothing to choose from';
  return element.options?.includes(call.text) === true ? undefined : 'it has no such option';
}

function refusalOfClick({ href, form, name, role }: SeenElement, siteUrl: string): string | undefined {
  const url = href === undefined ? null : URL.parse(href);
  if (url && /^https?:$/.test(url.protocol)) {
    if (!isOnSite(url.href, siteUrl)) return 'it leads to another site';
    const act = findAct(url.href);
    if (act !== undefined) return `it changes something (${act})`;
  } else if (url && url.protocol !== 'javascript:') return `it is a ${url.protocol} address`;
  // Any button of a form may send it; what a script does with a click is held by the fence.
  if (form && !isSearch(form)) return `it is part of a form that is no search (${form.type}, ${form.method})`;
  if (form || (role === 'link' && url && !/^javascript:$/.test(url.protocol))) return undefined;
  const kind = actOfWord(plainWord(name)) ?? wordsThatAct(name);
  return kind === undefined ? undefined : `it is called "${kind}"`;
}

const NAME_CHARS_MAX = 40;

function wordsThatAct(name: string): string | undefined {
  const text = name.toLowerCase();
  if (text.length > NAME_CHARS_MAX) return undefined;
  return (['order', 'login', 'registration'] as const).find((kind) => FORM_WORDS[kind].test(text));
}

function shown(ref: string): string {
  return ref === '' ? 'nothing' : `"${ref.slice(0, 10)}"`;
}
