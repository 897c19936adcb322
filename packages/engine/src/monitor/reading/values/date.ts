// Reads a date or an instant as RFC 3339.
import { readValue } from '../../../records/name/values.ts';
import type { FoundPart } from '../parts.ts';
import { elementsBelow } from '../../../html/walk.ts';
import { found, quoted } from './outcome.ts';
import type { Outcome } from './outcome.ts';

/** Dates of mails and feeds (RFC 5322, 3.3), which name their zone. */
const MAIL_DATE = /\b\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}(?::\d{2})? (?:[A-Z]{1,5}|[+-]\d{4})\b/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(:\d{2})?(Z|[+-]\d{2}:?\d{2})?$/;

/** What machines read is plainer than what is shown; then the first line that is a date. An instant without a zone counts as UTC. */
export function readDate(part: FoundPart): Outcome {
  const lines = [...statedIn(part), ...part.kept.split('\n')];
  for (const line of lines) {
    const date = dateOf(line);
    if (date !== undefined) return found(date);
  }
  const moving = lines.find((line) => isMoving(line));
  if (moving !== undefined)
    return {
      problem: `${quoted(moving)} moves with the clock and can't be compared; read the attribute that holds the date, such as datetime or title.`,
    };
  return { problem: `There is no date in ${quoted(part.kept)}.` };
}

function statedIn({ element }: FoundPart): readonly string[] {
  if (!element) return [];
  const times = [element, ...elementsBelow(element)].flatMap(({ name, attribs }) => [
    ...(name === 'time' && attribs['datetime'] !== undefined ? [attribs['datetime']] : []),
    ...(/date/i.test(attribs['itemprop'] ?? '') && attribs['content'] !== undefined ? [attribs['content']] : []),
  ]);
  return times.slice(0, 10);
}

function isMoving(line: string): boolean {
  const value = readValue(line, 'date');
  return value?.type === 'date' && value.secondsAgo !== undefined;
}

function dateOf(line: string): string | undefined {
  const mail = MAIL_DATE.exec(line)?.[0];
  if (mail !== undefined) {
    const ms = Date.parse(mail);
    if (!Number.isNaN(ms)) return new Date(ms).toISOString().replace('.000Z', 'Z');
  }
  const value = readValue(line.trim(), 'date');
  return value?.type === 'date' && value.iso !== undefined ? rfc3339(value.iso) : undefined;
}

/** ISO 8601 as records give it; undefined for a day that no calendar has. */
function rfc3339(iso: string): string | undefined {
  const [, day = iso, minute, second = ':00', zone = 'Z'] = INSTANT.exec(iso) ?? [];
  const text = minute === undefined ? `${day}T00:00:00Z` : `${day}T${minute}${second}${zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`;
  const ms = Date.parse(text);
  if (Number.isNaN(ms) || !isDay(day)) return undefined;
  return minute === undefined ? day : new Date(ms).toISOString().replace('.000Z', 'Z');
}

function isDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}
