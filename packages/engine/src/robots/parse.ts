// Reads robots.txt (RFC 9309) as leniently as Google documents it: typos, missing colons, any line ending, any size.
import type { ContentSignal, RobotsRule, RobotsRules } from './rules.ts';

/** How much of a file is read, in characters; RFC 9309 2.5 asks for at least 500 KiB. */
export const ROBOTS_CHARS_MAX = 512_000;

/** A longer line is cut here: eight times the longest URL that old browsers took, as Google reads it. */
const LINE_CHARS_MAX = 2083 * 8 - 1;

type Field = 'agent' | 'allow' | 'disallow' | 'sitemap' | 'delay' | 'signal';

/** Field names are matched as prefixes, and with the spellings that site owners are known to get wrong. */
const FIELD_PREFIXES: readonly (readonly [Field, readonly string[]])[] = [
  ['agent', ['user-agent', 'useragent', 'user agent']],
  ['allow', ['allow']],
  ['disallow', ['disallow', 'dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw']],
  ['sitemap', ['sitemap', 'site-map']],
  ['delay', ['crawl-delay', 'crawldelay', 'crawl delay']],
  ['signal', ['content-signal', 'content signal']],
];

interface OpenGroup {
  readonly agents: string[];
  readonly rules: RobotsRule[];
  readonly contentSignals: ContentSignal[];
  crawlDelaySeconds: number | undefined;
}

/** The rules in `text`. Never throws: what can't be read is skipped, and an empty text allows everything. */
export function parseRobots(text: string): RobotsRules {
  const isCut = text.length > ROBOTS_CHARS_MAX;
  const sitemaps: string[] = [];
  const groups: OpenGroup[] = [];
  // The groups that the next rule belongs to: more than one where a delay stands between two User-agent lines.
  let open: OpenGroup[] = [];
  let isNamingAgents = false;
  for (const [index, raw] of linesOf(text, isCut).entries()) {
    const entry = parseLine(raw);
    if (!entry) continue;
    if (entry.field === 'sitemap') {
      if (entry.value) sitemaps.push(entry.value);
    } else if (entry.field === 'agent') {
      if (!isNamingAgents) open = [];
      isNamingAgents = true;
      groupForAgent(open, groups).agents.push(...agentTokens(entry.value));
    } else if (entry.field === 'allow' || entry.field === 'disallow') {
      // Only a rule ends the run of User-agent lines: a group never closes at a line of another kind (RFC 9309, 2.2.4).
      isNamingAgents = false;
      // An empty pattern matches nothing: `Disallow:` allows everything.
      if (entry.value === '') continue;
      const rule = { allow: entry.field === 'allow', pattern: encodePattern(entry.value), text: entry.text, line: index + 1 };
      for (const group of open) group.rules.push(rule);
    } else {
      addExtra(open.at(-1), entry.field, entry.value, index + 1);
    }
  }
  return { access: 'rules', note: undefined, groups, sitemaps, isCut };
}

/** The open group that takes another agent: a delay or signal speaks for the agents above it only, so one that has any takes no more. */
function groupForAgent(open: OpenGroup[], groups: OpenGroup[]): OpenGroup {
  const last = open.at(-1);
  if (last && last.crawlDelaySeconds === undefined && last.contentSignals.length === 0) return last;
  const group: OpenGroup = { agents: [], rules: [], contentSignals: [], crawlDelaySeconds: undefined };
  open.push(group);
  groups.push(group);
  return group;
}

/** Without the byte order mark; the line that the size limit cut is left out, since half a rule means something else. */
function linesOf(text: string, isCut: boolean): readonly string[] {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const lines = text.slice(start, ROBOTS_CHARS_MAX).split(/\r\n|\r|\n/);
  return isCut ? lines.slice(0, -1) : lines;
}

function parseLine(raw: string): { field: Field; value: string; text: string } | undefined {
  const line = raw.length > LINE_CHARS_MAX ? raw.slice(0, LINE_CHARS_MAX) : raw;
  const hash = line.indexOf('#');
  const text = (hash < 0 ? line : line.slice(0, hash)).trim();
  if (text === '') return undefined;
  const colon = text.indexOf(':');
  // Without a colon, exactly two words are taken as name and value.
  const words = colon < 0 ? /^(\S+)\s+(\S+)$/.exec(text) : undefined;
  const name = (words ? words[1] : text.slice(0, Math.max(colon, 0)))?.trim().toLowerCase();
  const value = (words ? words[2] : text.slice(colon + 1))?.trim() ?? '';
  const field = name ? fieldOf(name) : undefined;
  return field && { field, value, text };
}

function fieldOf(name: string): Field | undefined {
  return FIELD_PREFIXES.find(([, prefixes]) => prefixes.some((prefix) => name.startsWith(prefix)))?.[0];
}

/**
 * The tokens that a User-agent value answers to: letters, `-` and `_` up to the first other character (RFC 9309, 2.2.1),
 * and the whole first word up to a slash, since names with digits are in use.
 */
function agentTokens(value: string): readonly string[] {
  const name = value.toLowerCase();
  if (/^\*(\s|$)/.test(name)) return ['*'];
  const letters = /^[a-z_-]*/.exec(name)?.[0] ?? '';
  const word = /^[^\s/]*/.exec(name)?.[0] ?? '';
  return [...new Set([letters, word])].filter((token) => token !== '');
}

/** Crawl-delay and Content-Signal are no part of RFC 9309; a delay that is no number is none. */
function addExtra(group: OpenGroup | undefined, field: 'delay' | 'signal', value: string, line: number): void {
  if (!group) return;
  if (field === 'signal') {
    group.contentSignals.push({ value, line });
    return;
  }
  const seconds = Number(value.replace(',', '.'));
  if (value !== '' && Number.isFinite(seconds) && seconds >= 0) group.crawlDelaySeconds = seconds;
}

/** Blanks and non-ASCII become UTF-8 escapes and existing escapes get upper-case digits; nothing is decoded. */
function encodePattern(value: string): string {
  return value
    .replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase())
    .toWellFormed()
    .replace(/[\s\u0080-\u{10ffff}]+/gu, (run) => encodeURIComponent(run));
}
