// Templates of channels in Liquid: checked when they are saved, and bounded in size, memory and time when they are rendered.
import type { ChannelTemplates } from '@weft/contract';
import type { Liquid } from 'liquidjs';
import { liquidjs } from '../late-packages.ts';
import type { Notice } from './delivery.ts';
import { cut, defaultBody, defaultTitle, wordsOf } from './words.ts';

/** What is wrong with a template, and where. */
export interface TemplateFault {
  readonly name: 'title' | 'body';
  /** Names the line and the column. */
  readonly message: string;
}

/** Title and body of a message; `note` says which template failed, and that the usual words stand in its place. */
export interface MessageTexts {
  readonly title: string;
  /** One line, at most 200 characters. */
  readonly body: string;
  readonly note?: string;
}

const TITLE_CHARS_MAX = 200;
const BODY_CHARS_MAX = 50_000;
/** Tags that read other templates: there are none. */
const TAGS_OF_FILES = ['include', 'render', 'layout', 'block'];
const NAMES = ['title', 'body'] as const;

let liquid: Liquid | undefined;

function createLiquid(): Liquid {
  const made = new (liquidjs().Liquid)({
    // Nothing is read from the disk.
    templates: {},
    strictFilters: true,
    ownPropertyOnly: true,
    parseLimit: 100_000,
    // Milliseconds of this thread.
    renderLimit: 250,
    memoryLimit: 1_000_000,
  });
  for (const tag of TAGS_OF_FILES) delete made.tags[tag];
  return made;
}

/** The first fault of `templates`, each rendered once with `sample`; undefined where there is none. */
export function findTemplateFault(templates: ChannelTemplates, sample: readonly Notice[]): TemplateFault | undefined {
  for (const name of NAMES) {
    const source = templates[name];
    const rendered = source === undefined ? undefined : render(source, sample);
    if (rendered && 'fault' in rendered) return { name, message: rendered.fault };
  }
  return undefined;
}

/** The words of a message about `notices`: those of the templates, and the usual ones where there is none or it fails. */
export function renderTexts(templates: ChannelTemplates, notices: readonly Notice[]): MessageTexts {
  const words = wordsOf(notices);
  const usual = { title: defaultTitle, body: defaultBody };
  const notes: string[] = [];
  const textOf = (name: (typeof NAMES)[number]): string => {
    const source = templates[name];
    const rendered = source === undefined ? undefined : render(source, notices);
    if (rendered && 'text' in rendered && rendered.text.trim() !== '') return rendered.text;
    if (rendered) notes.push(`The template of the ${name} ${'fault' in rendered ? `failed: ${rendered.fault}` : 'came to nothing.'}`);
    return usual[name](words);
  };
  const title = cut(textOf('title').replaceAll(/\s+/g, ' ').trim(), TITLE_CHARS_MAX);
  const body = cut(textOf('body').trim(), BODY_CHARS_MAX);
  return { title, body, ...(notes.length > 0 ? { note: `${notes.join(' ')} The usual words were sent instead.` } : {}) };
}

function render(source: string, notices: readonly Notice[]): { readonly text: string } | { readonly fault: string } {
  try {
    const text: unknown = (liquid ??= createLiquid()).parseAndRenderSync(source, wordsOf(notices));
    return { text: String(text) };
  } catch (error) {
    if (error instanceof Error) return { fault: faultOf(error) };
    throw error;
  }
}

/** The library's sentence without the excerpt of the template that it adds. */
function faultOf(error: Error): string {
  const said = (liquidjs().LiquidError.is(error) ? error.message.split('\n')[0] : error.message) ?? '';
  const place = /, line:(\d+), col:(\d+)/.exec(said);
  const sentence = said.replace(/,(?: file:[^,]*,)? line:\d+, col:\d+/, '');
  return place ? `line ${place[1]}, column ${place[2]}: ${sentence}.` : `${sentence}.`;
}
