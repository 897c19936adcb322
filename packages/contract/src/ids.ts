// How things are named on the wire (D7), and how names arrive in paths and queries.
import { z } from 'zod';
import { LIMITS } from './limits.ts';

/**
 * A whole number written in decimal digits, as paths and queries carry it. Anything else (`1.5`, `0x1`, ` 1`, `1e3`, empty) is refused.
 * The document shows it as the integer that it is.
 */
export function integerText(min: number, max: number) {
  return z
    .string()
    .regex(/^-?\d{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))
    .meta({ wire: { type: 'integer', minimum: min, maximum: max } });
}

/** `true` or `false`, as a query carries it. */
export const booleanText = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((text) => text === 'true')
  .meta({ wire: { type: 'boolean' } });

/** Whether CSV begins with U+FEFF. */
export const csvMark = booleanText.describe('CSV: begin with a byte order mark, by which Excel knows UTF-8. False unless said.');

/** How many fields can be chosen, and how long a name of one is. */
export const FIELDS_CHOSEN_MAX = 1000;
const FIELD_NAME_MAX = 1000;

/** A name of a field that is chosen. */
export const fieldName = z.string().min(1, 'names no field').max(FIELD_NAME_MAX);

/** Names of fields in a query, parted by commas, each once. */
export const fieldsText = z
  .string()
  .transform((text) => [...new Set(text.split(','))])
  .pipe(z.array(fieldName).max(FIELDS_CHOSEN_MAX))
  .meta({ wire: { type: 'string' } });

const ROW_ID_MAX = 999_999_999_999_999;

/** A local row id in a body. */
export const rowId = z.int().min(1).max(ROW_ID_MAX);

/** A local row id in a path. */
export const rowIdText = integerText(1, ROW_ID_MAX);

/** A run's row id in a path; a composite feed id is refused with the number that it names. */
export const runIdText = z
  .string()
  .check((context) => {
    const composite = /^(workflow|monitor|crawl|automation|build)-(\d{1,15})$/.exec(context.value);
    const message = composite ? `is a feed id; use the row id ${composite[2]}` : "must be a run's row id, a whole number";
    if (!/^[1-9]\d{0,14}$/.test(context.value)) context.issues.push({ code: 'custom', message, input: context.value });
  })
  .transform(Number)
  .meta({ wire: { type: 'integer', minimum: 1, maximum: ROW_ID_MAX } });

/** `limit` and `offset` of a list (D6). */
export const listQuery = {
  limit: integerText(1, LIMITS.listLimitMax).optional().describe(`How many at most; ${LIMITS.listLimitDefault} unless said.`),
  offset: integerText(0, 999_999_999).optional().describe('How many to pass over first.'),
};

/** `limit` and `offset` of a list that is whole unless `limit` is sent (D6). */
export const wholeListQuery = {
  limit: integerText(1, LIMITS.listLimitMax).optional().describe('How many at most; all unless said.'),
  offset: listQuery.offset,
};

/** How a document shows an address. */
export const WEB_URL_WIRE = { type: 'string', format: 'uri' };

/** An absolute http or https address as a body carries it, without a user name or password. */
export const webUrl = z
  .string()
  .max(LIMITS.urlLengthMax, `must be at most ${LIMITS.urlLengthMax} characters`)
  .check((context) => {
    const message = faultOfWebUrl(URL.parse(context.value));
    if (message !== undefined) context.issues.push({ code: 'custom', message, input: context.value });
  })
  .meta({ wire: WEB_URL_WIRE });

function faultOfWebUrl(url: URL | null): string | undefined {
  if (!url) return 'is not an absolute URL';
  if (!/^https?:$/.test(url.protocol)) return 'must be an http or https URL';
  if (url.username === '' && url.password === '') return undefined;
  return 'carries a user name or password, and addresses are stored and shown; take them out of it';
}

/** An instant in RFC 3339 with milliseconds, UTC. */
export const instant = z.iso.datetime({ precision: 3 }).describe('RFC 3339, UTC, milliseconds.');

/** An instant as a query carries it: RFC 3339 with any offset and any fraction, read as UTC. */
export const instantText = z.iso
  .datetime({ offset: true, error: 'must be an instant such as 2026-01-31T09:00:00Z or 2026-01-31T10:00:00+01:00' })
  .meta({ wire: { type: 'string', format: 'date-time' } });

/** A saved definition by slug or id (D7). */
export const refText = z.string().regex(/^([a-z][a-z0-9-]{0,62}|[1-9]\d{0,14})$/, 'must be a slug ([a-z][a-z0-9-]{0,62}) or an id');

/** What `Idempotency-Key` may be (D8): visible ASCII. */
export const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/;

/** The name by which a saved definition is called in paths and on the command line (D7). */
export const slug = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/, 'must be a slug: a small letter, then up to 62 of a-z, 0-9 and -');
