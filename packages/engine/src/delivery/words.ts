// The words of a message where no template says them, and the variables that templates have.
import type { Notice } from './delivery.ts';

/** What templates, and the words below, know of one notice. */
export interface NoticeWords {
  readonly event: string;
  readonly level: string;
  /** RFC 3339. */
  readonly at: string;
  readonly subject: Members;
  readonly monitor: Members | undefined;
  readonly automation: Members | undefined;
  readonly run: Members | undefined;
  readonly change: Members | undefined;
  /** Of one that brings its own. */
  readonly title: string | undefined;
  readonly message: string | undefined;
  readonly link: string | undefined;
}

/** Of a message: its first notice, all of them, and how many. */
export interface MessageWords extends NoticeWords {
  readonly count: number;
  readonly notices: readonly NoticeWords[];
}

export type Members = Readonly<Record<string, unknown>>;

/** Lines of a digest; the others are counted. */
const LINES_MAX = 50;
const DIFFERENCE_CHARS_MAX = 2_000;

export function wordsOf(notices: readonly Notice[]): MessageWords {
  const all = notices.map(noticeWords);
  const [first = noticeWords({ event: 'test', level: 'info', subject: { kind: 'agent' }, data: {}, atMs: 0 })] = all;
  return { ...first, count: all.length, notices: all };
}

function noticeWords({ event, level, subject, data, atMs }: Notice): NoticeWords {
  const of = (kind: string) => membersOf(data[kind]) ?? (subject.kind === kind ? { ...subject } : undefined);
  const change = membersOf(data['change']);
  return {
    event,
    level,
    at: new Date(atMs).toISOString(),
    subject: { ...subject },
    monitor: of('monitor'),
    automation: of('automation'),
    run: of('run'),
    change,
    title: textOf(data['title']),
    message: textOf(data['message']),
    link: webLink(data['link']) ?? webLink(change?.['link']),
  };
}

/** One line. */
export function defaultTitle(words: MessageWords): string {
  if (words.count === 1) return headline(words);
  const subjects = [...new Set(words.notices.map(subjectName))];
  return `${words.count} notices: ${subjects.slice(0, 3).join(', ')}${subjects.length > 3 ? `, and ${subjects.length - 3} more` : ''}`;
}

/** A few lines of plain text. */
export function defaultBody(words: MessageWords): string {
  if (words.count === 1) return detailsOf(words) || headline(words);
  const lines = words.notices.slice(0, LINES_MAX).map((notice) => `- ${headline(notice)}${inOneLine(notice)}`);
  if (words.count > LINES_MAX) lines.push(`- and ${words.count - LINES_MAX} more`);
  return lines.join('\n');
}

function headline(words: NoticeWords): string {
  return words.title ?? `${subjectName(words)}: ${eventName(words.event)}`;
}

function subjectName({ subject }: NoticeWords): string {
  const id = subject['id'];
  return textOf(subject['name']) ?? `${textOf(subject['kind']) ?? 'Weft'}${id === undefined ? '' : ` ${String(id)}`}`;
}

/** The last word of an event, as people write it. */
function eventName(event: string): string {
  return (event.split('.').at(-1) ?? event).replaceAll('_', ' ');
}

function detailsOf({ message, change, link }: NoticeWords): string {
  const difference = textOf(change?.['difference']);
  return [
    message,
    change && ('old' in change || 'new' in change) ? `${shown(change['old'])} → ${shown(change['new'])}` : undefined,
    difference === undefined ? undefined : cut(difference, DIFFERENCE_CHARS_MAX),
    link,
  ]
    .filter((line) => line !== undefined)
    .join('\n');
}

function inOneLine({ message, change, link }: NoticeWords): string {
  const values = change && ('old' in change || 'new' in change) ? `${shown(change['old'])} → ${shown(change['new'])}` : undefined;
  return [message ?? values, link].map((part) => (part === undefined ? '' : `, ${cut(part, 200)}`)).join('');
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  return cut(typeof value === 'string' ? value : JSON.stringify(value), 500);
}

/** At most so many characters, the last one a sign that there was more. */
export function cut(text: string, charsMax: number): string {
  return text.length > charsMax ? `${text.slice(0, charsMax - 1).toWellFormed()}…` : text;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An address that people may follow. */
function webLink(value: unknown): string | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

function membersOf(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
}
